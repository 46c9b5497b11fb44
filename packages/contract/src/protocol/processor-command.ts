/** Commands of `florin processors`, as the command line hands them to the server's script on standard input. */
import type { Mode } from './vault.ts';

/** An account by its id, or by its name; `mode` decides between accounts of the same name. */
export interface AccountName {
  readonly account: string;
  readonly mode?: Mode;
}

/** Flag of a command that must change nothing: it answers what it would answer. */
export interface DryRunFlag {
  readonly dry_run?: true;
}

type Members = Readonly<Record<string, unknown>>;

export type ProcessorCommand =
  | { readonly command: 'list'; readonly mode?: Mode; readonly with_removed: boolean }
  | { readonly command: 'kinds' }
  /** The server checks the members of drafts and changes, rules and facts. */
  | { readonly command: 'add'; readonly draft: Members }
  /** Connects the sandbox to the simulator's stand-in of a processor. Absent name: the processor's, and "stand-in". */
  | {
      readonly command: 'try';
      readonly processor: string;
      readonly name?: string;
      /** Address of the simulator. */
      readonly simulator_url: string;
      /** Address at which the stand-in reaches Florin. */
      readonly florin_url: string;
    }
  /** Gives an account at a stand-in new keys on both sides. */
  | (AccountName & StandInAddresses & { readonly command: 'renew' })
  /** Members that are absent stay as they are. */
  | (AccountName & { readonly command: 'change'; readonly change: Members })
  | (AccountName & { readonly command: 'show' })
  | (AccountName & { readonly command: 'check' | 'enable' | 'pause' })
  /** Refundable or disputed payments keep the account, unless they are given up. */
  | (AccountName & { readonly command: 'remove'; readonly give_up_refunds?: boolean })
  | { readonly command: 'rules'; readonly mode: Mode }
  | { readonly command: 'route'; readonly mode: Mode; readonly rules: unknown }
  | { readonly command: 'preview'; readonly mode: Mode; readonly facts: Members };

/** Outcomes that an operator may find for a dispute. An accepted dispute is lost. */
export const closingOutcomes = ['won', 'lost', 'accepted'] as const;
export type ClosingOutcome = (typeof closingOutcomes)[number];

/** Commands about disputes whose account is removed or silent. */
export type DisputeCommand =
  | { readonly command: 'disputes'; readonly name?: AccountName }
  | {
      readonly command: 'close_dispute';
      readonly id: string;
      readonly outcome: ClosingOutcome;
      readonly reason: string;
    };

/** Commands of `florin processors reports`. */
export type ReportCommand =
  /** Reports of an account, or of all accounts. */
  | { readonly command: 'reports'; readonly name?: AccountName }
  /** Sums of a report, and its lines that no payment explains. */
  | { readonly command: 'show_report'; readonly id: string }
  /** Acknowledges a line that no payment explains, with a note. */
  | {
      readonly command: 'acknowledge_row';
      readonly id: string;
      readonly line: number;
      readonly note: string;
    }
  /** Stores a report that a person downloaded. */
  | (AccountName & {
      readonly command: 'import_report';
      readonly report: string;
      readonly content: string;
    })
  /** Downloads and reads refused and failing reports again. */
  | (AccountName & { readonly command: 'retry_reports' })
  /** A stand-in writes a report of everything that it has not reported yet. */
  | (AccountName & {
      readonly command: 'settle_stand_in';
      readonly with_unclear_row: boolean;
      /** Address of the simulator. */
      readonly simulator_url: string;
    });

/** Faults that a stand-in of the simulator makes. Durations are in milliseconds. */
export interface StandInFaults {
  /** Messages that are done, and whose answers are lost. */
  readonly lose_answers?: number;
  /** Time for which messages are done at once and answered late. */
  readonly hang_ms?: number;
  /** Time for which the stand-in refuses connections. */
  readonly refuse_connections_ms?: number;
  /** Reason for which the next payments are declined. */
  readonly decline?: string;
  readonly lose_notifications?: number;
  readonly double_notifications?: number;
  readonly delay_notifications_ms?: number;
  /** Notifications that are signed with a wrong key. */
  readonly wrong_signatures?: number;
  /** Payments that `decline` applies to, and notifications that `delay_notifications_ms` applies to. */
  readonly times: number;
}

interface StandInAddresses {
  /** Address of the simulator. */
  readonly simulator_url: string;
  /** Address of Florin. */
  readonly florin_url: string;
}

/** Commands to the simulator's stand-ins of processors. */
export type StandInCommand = StandInAddresses &
  (
    | { readonly command: 'faults'; readonly processor: string; readonly faults: StandInFaults }
    | { readonly command: 'clear_faults'; readonly processor: string }
    /** The stand-in refuses the key of an account. */
    | (AccountName & { readonly command: 'refuse_key' })
    /** The payer disputes a payment. */
    | { readonly command: 'open_dispute'; readonly payment: string }
    | { readonly command: 'end_dispute'; readonly dispute: string; readonly end: DisputeEnd }
  );

/** Decisions of a bank. `second_chargeback`: it takes the money of a won dispute again. */
export const disputeEnds = ['won', 'lost', 'second_chargeback'] as const;
export type DisputeEnd = (typeof disputeEnds)[number];
