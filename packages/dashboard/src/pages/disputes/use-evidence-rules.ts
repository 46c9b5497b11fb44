import type { DisputeFilePurpose } from '@florin/contract/resources/dispute-files.ts';
import { useDashboard } from '../../api/queries.ts';

/** Texts and files that the processor of a dispute takes. */
export interface EvidenceRules {
  /** Name of the processor; null if it is gone. */
  readonly processor: string | null;
  /** Name of the removed account, through which no answer can be sent; otherwise null. */
  readonly removed_account: string | null;
  /** Attributes of one entry share its limit; null: the limit of the interface. Empty: no texts. */
  readonly texts: readonly {
    readonly names: readonly string[];
    readonly chars_max: number | null;
  }[];
  /** Largest file in bytes by media type. Other types are refused. */
  readonly file_bytes_max: Readonly<Record<string, number>>;
  /** Purposes of which the processor takes one file together. */
  readonly one_file_of: readonly (readonly DisputeFilePurpose[])[];
}

/** Reads what the processor of a dispute takes as evidence. */
export const useEvidenceRules = (dispute: string) =>
  useDashboard<{ data: EvidenceRules }>(`disputes/${dispute}/evidence_rules`);
