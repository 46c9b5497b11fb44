import type { NotSentResult, UnknownResult, WireAnswer, WireRequest } from '../message.ts';
import type { AccountSettings } from '../metadata.ts';
import { CsvError } from './csv.ts';
import type { FineAmount } from './decimal.ts';

/** Lines of a payment's money. Reversals undo an earlier line. */
export const movementKinds = [
  'capture',
  'refund',
  'chargeback',
  'capture_reversed',
  'refund_reversed',
  'chargeback_reversed',
] as const;
export type MovementKind = (typeof movementKinds)[number];

/** Lines of a whole batch. `carried_over` is a debt or credit that the next batch begins with. */
export const batchKinds = ['fee', 'adjustment', 'payout', 'carried_over'] as const;
export type BatchKind = (typeof batchKinds)[number];

export const feeParts = ['commission', 'markup', 'scheme', 'interchange', 'other'] as const;
export type FeePart = (typeof feeParts)[number];
/** Costs in fine units of the line's net currency. Negative: the processor returns a fee. */
export type Fees = Readonly<Partial<Record<FeePart, bigint>>>;

interface LineBase {
  /** Number of the row in the file, from 1. */
  readonly line: number;
  /** The processor's number of the batch or payout; empty if it has none. */
  readonly batch: string;
  /** Money to the merchant if positive, after fees, in the currency of the payout. */
  readonly net: FineAmount;
  readonly fees: Fees;
}

/** References by which a line finds its payment. */
export interface LineReferences {
  /** The processor's reference of the authorisation. */
  readonly authorisation_reference?: string;
  /** The processor's reference of the capture, refund or dispute. */
  readonly processor_reference?: string;
  /** Our id of the authorisation. */
  readonly attempt_id?: string;
  /** Our id of the capture or refund. */
  readonly demand_id?: string;
}

/** A line of a settlement report. Only movements have a gross amount: what the payer paid or got back. */
export type ReportLine = LineBase &
  (
    | (LineReferences & { readonly kind: MovementKind; readonly gross: FineAmount })
    | (LineReferences & { readonly kind: BatchKind; readonly gross?: undefined })
  );

/** A row that cannot be booked. `net` is there if at least the amount is readable. */
export interface QuarantinedRow {
  readonly line: number;
  readonly batch: string;
  readonly why: string;
  readonly net?: FineAmount;
}

export interface SettlementReport {
  readonly result: 'report';
  readonly lines: readonly ReportLine[];
  readonly quarantined: readonly QuarantinedRow[];
  /** Number of rows of other accounts, which are left out. */
  readonly others: number;
}

/** `refused`: the file has another layout than expected, or is of another account. Nothing of it is booked. */
export type ParsedReport = SettlementReport | { readonly result: 'refused'; readonly why: string };

/** A report at the processor. */
export interface ReportName {
  /** Unique in the account, at most 200 characters. */
  readonly name: string;
  /** Where the adapter downloads it; made by the adapter, never by a notification alone. */
  readonly location: string;
}

export type ListResult =
  | { readonly result: 'reports'; readonly reports: readonly ReportName[]; readonly next?: string }
  | { readonly result: 'refused'; readonly why: string }
  | NotSentResult
  | UnknownResult;

export type DownloadResult =
  | { readonly result: 'file'; readonly text: string }
  | { readonly result: 'refused'; readonly why: string }
  | NotSentResult
  | UnknownResult;

/** A page of reports that were made in a period. Times are ISO 8601. */
export interface ListInput {
  readonly from: string;
  readonly until: string;
  /** `next` of the page before. */
  readonly page?: string;
}

/** Settlement reports of a processor. Pure. */
export interface Reports {
  /** Why the account cannot download reports yet, in a sentence; undefined if it can. */
  missingSetting?(account: AccountSettings): string | undefined;
  /** Absent: notifications announce reports. */
  readonly list?: {
    mapRequest(account: AccountSettings, input: ListInput): WireRequest;
    mapAnswer(answer: WireAnswer): ListResult;
  };
  /** The report that a notification announces; undefined if it is of another kind. */
  announced?(name: string): ReportName | undefined;
  readonly download: {
    mapRequest(account: AccountSettings, report: ReportName): WireRequest;
    mapAnswer(answer: WireAnswer): DownloadResult;
  };
  /** Never throws. */
  parse(text: string, account: AccountSettings): ParsedReport;
}

/** Reports of one account. */
export interface AccountReports extends Pick<Reports, 'announced'> {
  missingSetting(): string | undefined;
  readonly list?: {
    mapRequest(input: ListInput): WireRequest;
    mapAnswer(answer: WireAnswer): ListResult;
  };
  readonly download: {
    mapRequest(report: ReportName): WireRequest;
    mapAnswer(answer: WireAnswer): DownloadResult;
  };
  parse(text: string): ParsedReport;
}

export function connectReports(reports: Reports, account: AccountSettings): AccountReports {
  const { list, download, announced } = reports;
  return {
    missingSetting: () => reports.missingSetting?.(account),
    ...(announced && { announced }),
    ...(list && {
      list: {
        mapRequest: (input: ListInput) => list.mapRequest(account, input),
        mapAnswer: list.mapAnswer,
      },
    }),
    download: {
      mapRequest: (report) => download.mapRequest(account, report),
      mapAnswer: download.mapAnswer,
    },
    parse(text) {
      try {
        return reports.parse(text, account);
      } catch (error) {
        if (error instanceof CsvError) return { result: 'refused', why: error.message };
        throw error;
      }
    },
  };
}

/** Sum of a line's fees, in fine units of its net currency. */
export const sumOfFees = (fees: Fees): bigint =>
  Object.values(fees).reduce((sum: bigint, fee) => sum + (fee ?? 0n), 0n);
