import type { FileEntry } from '../key-files.ts';

/** A file, and the variable that names it. */
export interface TlsFile {
  readonly variable: string;
  readonly path: string;
}

/** Files of one side of a connection with mutual TLS, as PEM. */
export interface TlsFiles {
  /** The own certificate, followed by those of intermediate authorities. */
  readonly certificate: TlsFile;
  readonly key: TlsFile;
  /** Authorities that may issue the certificate of the other side. */
  readonly authority: TlsFile;
}

/** Certificate, key and authorities of one side. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  /** Earliest end of its certificates, in milliseconds since 1970. */
  readonly expires_at: number;
}

/** A certificate, as Node's `X509Certificate` reads it. */
export interface ParsedCertificate {
  readonly validFrom: string;
  readonly validTo: string;
  readonly ca: boolean;
  readonly subjectAltName?: string | undefined;
}

/** Files and cryptography of the process, which this package does not import. */
export interface TlsTools {
  /** Throws if the file cannot be read. */
  readonly readFile: (path: string) => string;
  /** Owner and permissions of a file. */
  readonly entryOf: (path: string) => FileEntry;
  /** User of this process; undefined where the system has no such number. */
  readonly uid: number | undefined;
  /** Throws unless the text is one certificate as PEM. */
  readonly parseCertificate: (pem: string) => ParsedCertificate;
  /** Whether a private key as PEM belongs to a certificate. Throws for a text that is no key. */
  readonly isPair: (certificatePem: string, keyPem: string) => boolean;
}

export interface TlsFault {
  /** Short name, for logs that have no free texts. */
  readonly code: string;
  readonly problem: string;
  /** Next step, as one sentence. */
  readonly fix: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A certificate that ends within this time is reported. */
export const EXPIRY_WARNING_DAYS = 30;
/** Permissions of group and others. */
const FOREIGN_BITS = 0o077;
const CERTIFICATE_PATTERN = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export interface TlsReading {
  /** Absent if a fault makes the files unusable. */
  readonly identity?: TlsIdentity;
  readonly faults: readonly TlsFault[];
  /** Certificates that work now, and expire soon. */
  readonly warnings: readonly TlsFault[];
}

/** Reads and checks the files of one side. `now` in milliseconds since 1970. */
export function readTlsIdentity(tools: TlsTools, files: TlsFiles, now: number): TlsReading {
  const texts = readTexts(tools, files);
  if ('faults' in texts) return { faults: texts.faults, warnings: [] };
  const certificates = parseAll(tools, texts.cert);
  const authorities = parseAll(tools, texts.ca);
  const dated = [
    ...certificates.map((certificate) => ({ certificate, file: files.certificate })),
    ...authorities.map((certificate) => ({ certificate, file: files.authority })),
  ];
  const faults = [
    ...keyFaults(tools, files, texts),
    ...when(certificates.length === 0, noCertificate(files.certificate)),
    ...when(
      authorities.length === 0 || !authorities.every(({ ca }) => ca),
      noAuthority(files.authority),
    ),
    ...when(certificates.length > 0 && !certificates[0]?.subjectAltName, noName(files.certificate)),
    ...dated.flatMap((entry) => dateFaults(entry, now)),
  ];
  if (faults.length > 0) return { faults, warnings: [] };
  const expires_at = Math.min(...dated.map(({ certificate }) => Date.parse(certificate.validTo)));
  const warnings = dated.flatMap((entry) => expiryWarnings(entry, now));
  return { identity: { ...texts, expires_at }, faults, warnings };
}

type Texts = Pick<TlsIdentity, 'cert' | 'key' | 'ca'>;

function readTexts(
  tools: TlsTools,
  { certificate, key, authority }: TlsFiles,
): Texts | { readonly faults: TlsFault[] } {
  const faults: TlsFault[] = [];
  const read = (file: TlsFile): string => {
    try {
      return tools.readFile(file.path);
    } catch {
      faults.push({
        code: 'unreadable',
        problem: `The file of ${file.variable} cannot be read.`,
        fix: 'Name a file that this user can read.',
      });
      return '';
    }
  };
  const texts = { cert: read(certificate), key: read(key), ca: read(authority) };
  return faults.length > 0 ? { faults } : texts;
}

function keyFaults(tools: TlsTools, { certificate, key }: TlsFiles, texts: Texts): TlsFault[] {
  const exposed = {
    code: 'key_exposed',
    problem: `The file of ${key.variable} can be read by other users.`,
    fix: 'Run chmod 600 on it, and give it to the user of the service.',
  };
  const unpaired = {
    code: 'key_mismatch',
    problem: `The key of ${key.variable} is not that of the certificate of ${certificate.variable}.`,
    fix: 'Replace both files together.',
  };
  const { mode, uid: owner } = tools.entryOf(key.path);
  const foreign = {
    code: 'key_of_another_user',
    problem: `The file of ${key.variable} belongs to another user (${owner}), who can read and replace it.`,
    fix: `Run as root: chown ${tools.uid} ${key.path}. If somebody read it, replace the key.`,
  };
  return [
    ...when((mode & FOREIGN_BITS) !== 0, exposed),
    ...when(tools.uid !== undefined && owner !== tools.uid, foreign),
    ...when(!isPair(tools, texts), unpaired),
  ];
}

function isPair(tools: TlsTools, { cert, key }: Texts): boolean {
  try {
    return tools.isPair(cert, key);
  } catch {
    return false;
  }
}

function parseAll(tools: TlsTools, text: string): ParsedCertificate[] {
  try {
    return (text.match(CERTIFICATE_PATTERN) ?? []).map(tools.parseCertificate);
  } catch {
    return [];
  }
}

const noCertificate = ({ variable }: TlsFile): TlsFault => ({
  code: 'no_certificate',
  problem: `The file of ${variable} has no certificate.`,
  fix: 'Write it as PEM, followed by those of intermediate authorities.',
});

const noAuthority = ({ variable }: TlsFile): TlsFault => ({
  code: 'no_authority',
  problem: `The file of ${variable} has no certificate of an authority.`,
  fix: 'Write the certificate of your own authority as PEM.',
});

const noName = ({ variable }: TlsFile): TlsFault => ({
  code: 'no_name',
  problem: `The certificate of ${variable} has no subject alternative name.`,
  fix: 'Issue it with the name that the other side expects.',
});

interface Dated {
  readonly certificate: ParsedCertificate;
  readonly file: TlsFile;
}

function dateFaults({ certificate, file }: Dated, now: number): TlsFault[] {
  const fix = 'Issue another one, and compare the clock of this machine.';
  const { variable } = file;
  return [
    ...when(Date.parse(certificate.validTo) <= now, {
      code: 'expired',
      problem: `A certificate of ${variable} expired on ${dayOf(certificate.validTo)}.`,
      fix,
    }),
    ...when(Date.parse(certificate.validFrom) > now, {
      code: 'not_yet_valid',
      problem: `A certificate of ${variable} is not valid before ${dayOf(certificate.validFrom)}.`,
      fix,
    }),
  ];
}

const expiryWarnings = ({ certificate, file }: Dated, now: number): TlsFault[] =>
  when(Date.parse(certificate.validTo) - now < EXPIRY_WARNING_DAYS * DAY_MS, {
    code: 'expires_soon',
    problem: `A certificate of ${file.variable} expires on ${dayOf(certificate.validTo)}.`,
    fix: 'Replace the file: the running process reads it again without a restart.',
  });

const dayOf = (date: string): string => new Date(date).toISOString().slice(0, 10);

const when = (isFault: boolean, fault: TlsFault): TlsFault[] => (isFault ? [fault] : []);
