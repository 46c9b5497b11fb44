import { type ProblemError, problem } from '@florin/contract/errors.ts';
import {
  type DisputeFileType,
  FILES_PER_DISPUTE_MAX,
} from '@florin/contract/resources/dispute-files.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import type { EvidenceRules } from '../../../processors/port/metadata.ts';
import type { Decision } from '../../records/updater.ts';
import { requireAnswerable } from '../decide.ts';
import { fileTypes } from './file-types.ts';

/** Stored contents of a merchant in one mode: 1 GB. */
export const MERCHANT_BYTES_MAX = 1_000_000_000;

/** A file to be stored. */
export interface NewFile {
  readonly content_type: DisputeFileType;
  readonly size_bytes: number;
  readonly purpose: string;
}

/** Limits that apply to an upload. */
export interface UploadContext {
  /** Bytes that the merchant has stored in this mode. */
  readonly storedBytes: number;
  /** Purposes of the files that the dispute has. */
  readonly purposes: readonly string[];
  /** Rules of the dispute's processor; undefined without any. */
  readonly rules: EvidenceRules | undefined;
  /** Name of the processor, for errors. */
  readonly processor: string;
}

/** Decides about one more file of a locked dispute. Clients see no change of the dispute. */
export function decideUpload(
  dispute: Row,
  file: NewFile,
  { storedBytes, purposes, rules, processor }: UploadContext,
  now: Micros,
): Decision & { readonly internal: true } {
  requireAnswerable(dispute, 'an upload', now);
  const count = Number(dispute.files_count);
  if (count >= FILES_PER_DISPUTE_MAX)
    throw limitReached(
      `The dispute has ${FILES_PER_DISPUTE_MAX} files, the maximum. Remove one first.`,
      FILES_PER_DISPUTE_MAX,
    );
  if (storedBytes + file.size_bytes > MERCHANT_BYTES_MAX)
    throw limitReached(
      `The files of all disputes have ${MERCHANT_BYTES_MAX} bytes, the maximum. Remove files that you no longer need.`,
      MERCHANT_BYTES_MAX,
    );
  if (rules) {
    requireTaken(file, rules, processor);
    requireSingle(file, rules, { purposes, processor });
  }
  return countDecision(count + 1);
}

const countDecision = (count: number) =>
  ({ set: { files_count: String(count) }, events: [], internal: true }) as const;

const limitReached = (detail: string, limit: number): ProblemError =>
  problem('limit_reached', detail, undefined, { meta: { limit } });

function requireTaken(
  { content_type, size_bytes }: NewFile,
  { file_bytes_max }: EvidenceRules,
  processor: string,
): void {
  const bytesMax = file_bytes_max[content_type];
  if (bytesMax !== undefined && size_bytes <= bytesMax) return;
  const accepted = Object.entries(file_bytes_max).map(
    ([type, max]) => `${fileTypes[type as DisputeFileType].name} up to ${max} bytes`,
  );
  throw problem(
    'invalid',
    `${processor} does not accept this file. Accepted: ${accepted.join(', ') || 'none'}.`,
  );
}

/** Some processors take one file of several purposes together. */
function requireSingle(
  { purpose }: NewFile,
  { one_file_of = [] }: EvidenceRules,
  { purposes, processor }: Pick<UploadContext, 'purposes' | 'processor'>,
): void {
  const kind: readonly string[] =
    one_file_of.find((names) => (names as readonly string[]).includes(purpose)) ?? [];
  if (!purposes.some((other) => kind.includes(other))) return;
  throw problem(
    'invalid',
    `${processor} takes one file of the purpose ${kind.join(' or ')}. Remove the other one first, or combine both in one PDF.`,
    { parameter: 'purpose' },
  );
}

/** One file less of a locked dispute that still takes evidence. */
export const decideFewer = ({ files_count }: Row) =>
  countDecision(Math.max(0, Number(files_count) - 1));

/** Removing twice has no effect. */
export const decideRemoval = ({ removed_at }: Row, now: Micros): Decision => ({
  set: removed_at == null ? { removed_at: instantText(now) } : {},
  events: [],
});
