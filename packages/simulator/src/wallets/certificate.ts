import { createHash, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bitString,
  context,
  contextPrimitive,
  derNull,
  derTrue,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utcTime,
  utf8String,
} from './der.ts';
import { type KeyPair, spkiOf } from './keys.ts';

const oids = {
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  subjectAltName: '2.5.29.17',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

/** A subject or issuer with its keys. */
export interface Holder {
  readonly name: string;
  readonly keys: KeyPair;
}

export interface CertificateTerms {
  readonly subject: Holder;
  readonly issuer: Holder;
  /** Whether the holder may issue certificates. */
  readonly ca: boolean;
  /** Object identifier of an extension without content that marks the certificate. */
  readonly marker?: string;
  /** Subject alternative names: hosts, and IPv4 addresses. */
  readonly names?: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export const ecdsaWithSha256 = sequence(objectIdentifier(oids.ecdsaWithSha256));

export const nameOf = ({ name }: Holder): Buffer =>
  sequence(set(sequence(objectIdentifier(oids.commonName), utf8String(name))));

/** Serial number derived from the names, so that certificates of one issuer differ. */
export const serialOf = ({ subject, issuer }: CertificateTerms): Buffer =>
  integer(createHash('sha256').update(`${issuer.name}|${subject.name}`).digest().subarray(0, 8));

const VERSION_3 = context(0, integer(Buffer.from([2])));

/** An X.509 certificate in DER, signed with ECDSA. */
export function certificateOf(terms: CertificateTerms): Buffer {
  const tbsCertificate = sequence(
    VERSION_3,
    serialOf(terms),
    ecdsaWithSha256,
    nameOf(terms.issuer),
    sequence(utcTime(terms.notBefore), utcTime(terms.notAfter)),
    nameOf(terms.subject),
    spkiOf(terms.subject.keys.publicKey),
    context(3, sequence(...extensionsOf(terms))),
  );
  const signature = sign('sha256', tbsCertificate, terms.issuer.keys.privateKey);
  return sequence(tbsCertificate, ecdsaWithSha256, bitString(signature));
}

function extensionsOf({ ca, marker, names }: CertificateTerms): Buffer[] {
  const constraints = octetString(sequence(...(ca ? [derTrue] : [])));
  return [
    sequence(objectIdentifier(oids.basicConstraints), derTrue, constraints),
    ...(names
      ? [sequence(objectIdentifier(oids.subjectAltName), octetString(namesOf(names)))]
      : []),
    ...(marker ? [sequence(objectIdentifier(marker), octetString(derNull))] : []),
  ];
}

/** Tags of `dNSName` and `iPAddress`. */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

const namesOf = (names: readonly string[]): Buffer =>
  sequence(
    ...names.map((name) =>
      isIPv4(name)
        ? contextPrimitive(IP_ADDRESS, Buffer.from(name.split('.').map(Number)))
        : contextPrimitive(DNS_NAME, Buffer.from(name)),
    ),
  );
