import { createHash, X509Certificate } from 'node:crypto';
import { readSignedData, type SignedData } from './cms.ts';
import { isSignatureValid } from './p256.ts';
import { expiredToken, unreadableToken } from './refusals.ts';

/** Extensions that mark Apple's payment token certificates. Only their presence matters. */
export const LEAF_MARKER = '1.2.840.113635.100.6.29';
export const INTERMEDIATE_MARKER = '1.2.840.113635.100.6.2.14';

/**
 * Checks a detached CMS signature over `content` by a certificate that leads to `root`. Returns its time in
 * milliseconds. Throws `wallet_token_unreadable` or, for a certificate outside its validity, `wallet_token_expired`.
 */
export function verifyAppleSignature(
  signature: Buffer,
  content: Buffer,
  root: X509Certificate,
  now: number,
): number {
  const signedData = readSignedData(signature);
  const leaf = leafOf(signedData, root, now);
  const digest = createHash('sha256').update(content).digest();
  if (!digest.equals(signedData.message_digest))
    throw unreadableToken('signature is for other data');
  if (!isSignatureValid(leaf.publicKey, signedData.signed_attributes, signedData.signature)) {
    throw unreadableToken('signature is invalid');
  }
  return signedData.signed_at;
}

/**
 * Returns the signing certificate. Checks its chain (leaf, intermediate, root), each certificate within its
 * validity.
 */
function leafOf({ certificates }: SignedData, root: X509Certificate, now: number): X509Certificate {
  const [leaf, intermediate] = [LEAF_MARKER, INTERMEDIATE_MARKER].map((marker) => {
    const markedCertificates = certificates.filter(({ extensions }) => extensions.includes(marker));
    // The root may be included. Two certificates with the same marker would make the choice ambiguous.
    if (markedCertificates.length !== 1)
      throw unreadableToken('its certificates are not those of payment tokens');
    return parseCertificate(markedCertificates[0]?.der);
  });
  if (!leaf || !intermediate || leaf.ca || !intermediate.ca) throw wrongChainRefusal();
  if (!isIssuedBy(leaf, intermediate) || !isIssuedBy(intermediate, root)) throw wrongChainRefusal();
  for (const certificate of [leaf, intermediate, root]) {
    const { validFromDate, validToDate } = certificate;
    if (now < validFromDate.getTime() || now > validToDate.getTime()) {
      throw expiredToken('a certificate is expired or not valid yet');
    }
  }
  return leaf;
}

const wrongChainRefusal = () => unreadableToken('its certificates do not lead to the root');

function parseCertificate(der: Buffer | undefined): X509Certificate {
  try {
    const certificate = der && new X509Certificate(der);
    // Node reports an unusable key only when the key is read.
    if (certificate?.publicKey) return certificate;
  } catch {
    // The refusal below handles the error.
  }
  throw unreadableToken('its certificates cannot be read');
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
