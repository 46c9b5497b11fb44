import { createHash, sign } from 'node:crypto';
import {
  type CertificateTerms,
  certificateOf,
  ecdsaWithSha256,
  nameOf,
  serialOf,
} from './certificate.ts';
import { context, integer, objectIdentifier, octetString, sequence, set, utcTime } from './der.ts';

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const;

const VERSION_1 = integer(Buffer.from([1]));
const SHA256 = sequence(objectIdentifier(oids.sha256));
const IMPLICIT_TAG = 0xa0;

const signedAttribute = (oid: string, value: Buffer): Buffer =>
  sequence(objectIdentifier(oid), set(value));

/** A detached CMS signature (RFC 5652) by the first certificate's subject, with all certificates included. */
export function signDetached(
  content: Buffer,
  [leaf, ...issuers]: readonly [CertificateTerms, ...CertificateTerms[]],
  signedAt: Date,
): Buffer {
  const attributes = set(
    signedAttribute(oids.contentType, objectIdentifier(oids.data)),
    signedAttribute(oids.signingTime, utcTime(signedAt)),
    signedAttribute(oids.messageDigest, octetString(createHash('sha256').update(content).digest())),
  );
  const sentAttributes = Buffer.from(attributes);
  sentAttributes[0] = IMPLICIT_TAG;
  const signer = sequence(
    VERSION_1,
    sequence(nameOf(leaf.issuer), serialOf(leaf)),
    SHA256,
    sentAttributes,
    ecdsaWithSha256,
    octetString(sign('sha256', attributes, leaf.subject.keys.privateKey)),
  );
  const signedData = sequence(
    VERSION_1,
    set(SHA256),
    sequence(objectIdentifier(oids.data)),
    context(0, ...[leaf, ...issuers].map(certificateOf)),
    set(signer),
  );
  return sequence(objectIdentifier(oids.signedData), context(0, signedData));
}
