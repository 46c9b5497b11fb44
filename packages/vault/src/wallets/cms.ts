import * as asn1 from 'asn1js';
import { unreadableToken } from './refusals.ts';

/** Parts of a detached CMS `SignedData` with one signer (RFC 5652) that verification needs. */
export interface SignedData {
  readonly certificates: readonly SentCertificate[];
  /** The signer's attributes in signed form: DER of a SET. */
  readonly signed_attributes: Buffer;
  readonly message_digest: Buffer;
  /** Milliseconds since 1970. */
  readonly signed_at: number;
  /** ECDSA signature in DER. */
  readonly signature: Buffer;
}

export interface SentCertificate {
  readonly der: Buffer;
  /** Object identifiers of the certificate's extensions. */
  readonly extensions: readonly string[];
}

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

/** Many times the size of Apple's data, but small enough to reject invalid input cheaply. */
const LIMITS = { maxDepth: 24, maxNodes: 1_000, parseEmbedded: false };
const CONTEXT_CLASS = 3;
const CERTIFICATES_MAX = 4;
const SET_TAG = 0x31;

/** Parses BER, because Apple uses both length forms. Throws `wallet_token_unreadable`. */
export function readSignedData(bytes: Buffer): SignedData {
  try {
    return readContentInfo(bytes);
  } catch (error) {
    // The parser throws other errors for invalid content, such as an invalid time.
    throw unreadableToken(error instanceof CmsError ? error.message : NOT_CMS);
  }
}

class CmsError extends Error {}

const NOT_CMS = 'signature is not CMS';

function requireValue<T>(value: T | undefined, message = NOT_CMS): T {
  if (value === undefined) throw new CmsError(message);
  return value;
}

const requireThat = (condition: boolean, message: string): true =>
  requireValue(condition || undefined, message);

function readContentInfo(bytes: Buffer): SignedData {
  const { offset, result } = asn1.fromBER(bytes, LIMITS);
  requireThat(offset === bytes.length, NOT_CMS);
  const [type, wrappedContent] = itemsOf(result);
  requireThat(oidOf(type) === oids.signedData, 'signature is not CMS signed data');
  const [, , content, ...trailingBlocks] = itemsOf(itemsOf(wrappedContent)[0]);
  const [contentType, ...attachedContent] = itemsOf(content);
  requireThat(
    oidOf(contentType) === oids.data && attachedContent.length === 0,
    'signature is not detached',
  );
  const signers = itemsOf(trailingBlocks.at(-1));
  requireThat(signers.length === 1, 'signature does not have one signer');
  return { certificates: certificatesOf(trailingBlocks), ...readSigner(itemsOf(signers[0])) };
}

function certificatesOf(trailingBlocks: readonly asn1.BaseBlock[]): SentCertificate[] {
  const certificates = itemsOf(trailingBlocks.find((block) => isTagged(block, 0)));
  requireThat(certificates.length <= CERTIFICATES_MAX, 'signature has too many certificates');
  return certificates.map((block) => ({ der: derOf(block), extensions: extensionsOf(block) }));
}

/** Object identifiers of a certificate's extensions, which Node does not expose. */
function extensionsOf(certificate: asn1.BaseBlock): string[] {
  const [body] = itemsOf(certificate);
  const extensionsBlock = itemsOf(body).find((block) => isTagged(block, 3));
  if (!extensionsBlock) return [];
  return itemsOf(itemsOf(extensionsBlock)[0]).map((extension) => oidOf(itemsOf(extension)[0]));
}

/** Parses SignerInfo: version, sid, digest algorithm, signed attributes, signature algorithm, signature. */
function readSigner(items: readonly asn1.BaseBlock[]): Omit<SignedData, 'certificates'> {
  const [, , digestAlgorithm, attributes, algorithm, signature] = items;
  requireThat(oidOf(itemsOf(digestAlgorithm)[0]) === oids.sha256, 'its digest is not SHA-256');
  requireThat(isTagged(requireValue(attributes), 0), 'signature has no signed attributes');
  requireThat(oidOf(itemsOf(algorithm)[0]) === oids.ecdsaWithSha256, 'signature is not ECDSA');
  const readAttribute = createAttributeReader(itemsOf(attributes));
  requireThat(oidOf(readAttribute(oids.contentType)) === oids.data, 'its content type is not data');
  return {
    signed_attributes: toSet(derOf(requireValue(attributes))),
    message_digest: octetsOf(readAttribute(oids.messageDigest)),
    signed_at: timeOf(readAttribute(oids.signingTime)),
    signature: octetsOf(signature),
  };
}

/** Returns a function that reads an attribute which must occur exactly once. */
const createAttributeReader = (attributes: readonly asn1.BaseBlock[]) => (oid: string) => {
  const namedAttributes = attributes.map(itemsOf).filter(([type]) => oidOf(type) === oid);
  const values = itemsOf(namedAttributes[0]?.[1]);
  requireThat(
    namedAttributes.length === 1 && values.length === 1,
    'a signed attribute is missing or repeated',
  );
  return values[0];
};

/**
 * Attributes in signed form: with the tag of a SET instead of the tag with which they are sent (RFC 5652,
 * 5.4).
 */
function toSet(der: Buffer): Buffer {
  const set = Buffer.from(der);
  set[0] = SET_TAG;
  return set;
}

const itemsOf = (block: asn1.BaseBlock | undefined): asn1.BaseBlock[] =>
  requireValue(
    block instanceof asn1.Constructed ? block.valueBlock.value : undefined,
  ) as asn1.BaseBlock[];

const oidOf = (block: asn1.BaseBlock | undefined): string =>
  requireValue(block instanceof asn1.ObjectIdentifier ? block.getValue() : undefined);

const octetsOf = (block: asn1.BaseBlock | undefined): Buffer =>
  Buffer.from(requireValue(block instanceof asn1.OctetString ? block.getValue() : undefined));

/** Time from either time type of CMS. In asn1js, one type is a subclass of the other. */
function timeOf(block: asn1.BaseBlock | undefined): number {
  const time = requireValue(block instanceof asn1.UTCTime ? block.toDate().getTime() : undefined);
  requireThat(Number.isFinite(time), NOT_CMS);
  return time;
}

const derOf = (block: asn1.BaseBlock): Buffer => Buffer.from(block.valueBeforeDecodeView);

const isTagged = ({ idBlock }: asn1.BaseBlock, tag: number): boolean =>
  idBlock.tagClass === CONTEXT_CLASS && idBlock.tagNumber === tag;
