import { forEachAtOnce } from '../kernel/for-each-at-once.ts';
import type { Manifest } from './base-backup.ts';
import { fileName } from './base-backup.ts';
import type { Progress } from './progress.ts';
import { discard, openSealed, type Repository } from './repository.ts';
import { SealBroken } from './seal.ts';
import { logName } from './ship-log.ts';

const AT_ONCE = 4;
/** Size of a segment of the log, in bytes. */
const SEGMENT_BYTES = 16 * 1024 ** 2;

/** A part of a backup that does not verify. */
export interface Fault {
  readonly name: string;
  readonly reason: string;
}

export interface Verification {
  readonly faults: readonly Fault[];
  /** Files by the fingerprint of the key that they are sealed with. */
  readonly keys: ReadonlyMap<string, number>;
  /** Fingerprints of the keys of segments, by name of the segment. */
  readonly segment_keys: ReadonlyMap<string, string>;
}

/** Opens every file of a base backup and of the log, and compares sizes and digests. */
export async function verifyParts(
  repository: Repository,
  bases: readonly Manifest[],
  segments: readonly string[],
  progress: Progress,
): Promise<Verification> {
  const faults: Fault[] = [];
  const keys = new Map<string, number>();
  const segment_keys = new Map<string, string>();
  const parts = [...bases.flatMap(partsOf), ...segments.map(segmentPart)];
  progress.begin(
    'Verified',
    parts.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  await forEachAtOnce(AT_ONCE, parts, async (part) => {
    const reason = await faultOf(repository, part, (key) => {
      keys.set(key, (keys.get(key) ?? 0) + 1);
      if (part.segment) segment_keys.set(part.segment, key);
    });
    if (reason) faults.push({ name: part.name, reason });
    progress.add(part.bytes);
  });
  progress.end();
  return { faults, keys, segment_keys };
}

interface Part {
  readonly name: string;
  readonly bytes: number;
  /** Undefined for the log: its segments are only sealed. */
  readonly sha256?: string;
  readonly segment?: string;
}

const partsOf = ({ label, files }: Manifest): Part[] =>
  files.map(({ path, bytes, sha256 }) => ({ name: fileName(label, path), bytes, sha256 }));

const segmentPart = (segment: string): Part => ({
  name: logName(segment),
  bytes: SEGMENT_BYTES,
  segment,
});

async function faultOf(
  repository: Repository,
  { name, bytes, sha256 }: Part,
  onKey: (fingerprint: string) => unknown,
): Promise<string | undefined> {
  try {
    const content = await openSealed(repository, name, discard);
    onKey(content.sealed_with);
    if (content.bytes !== bytes) return `has ${content.bytes} bytes, not ${bytes}`;
    if (sha256 && content.sha256 !== sha256) return 'has other content than the manifest says';
    return undefined;
  } catch (error) {
    return faultText(error);
  }
}

/** Reason for a file that cannot be opened. Other errors are thrown on. */
export function faultText(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'is missing';
  if (error instanceof SealBroken) return message;
  if (code.startsWith('Z_')) return 'cannot be decompressed';
  throw error;
}
