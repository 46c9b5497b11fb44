import type { CardBrand } from '@florin/contract/card/networks.ts';
import type { Mode, WalletKind } from '@florin/contract/protocol/vault.ts';
import type {
  DisputeFilePurpose,
  DisputeFileType,
} from '@florin/contract/resources/dispute-files.ts';
import type { Money } from './message.ts';

/** How to find an outcome without a response. Both strategies also accept notifications. */
export type Recovery =
  /** Asks by our reference until the processor tells the outcome. */
  | {
      readonly strategy: 'inquire';
      /** Seconds for which a refused reversal is repeated. Then an operator finds out. Absent: without end. */
      readonly refused_reversal_max_s?: number;
    }
  /** Cancels by our reference, and waits for the confirmation. */
  | {
      readonly strategy: 'cancel';
      /**
       * Seconds after the outcome became unknown at which the attempt is cancelled, ascending. After the last one, an
       * operator finds out.
       */
      readonly cancels_at_s: readonly [number, ...number[]];
      /** Seconds in which a notification tells the outcome of an accepted capture or refund. Then an operator finds out. */
      readonly follow_up_max_s: number;
    };

export interface Capabilities {
  /** Whether a message can authorise and capture. If not, a capture follows each approval. */
  readonly direct_capture: boolean;
  readonly partial_capture: boolean;
  /** Whether a hold can be captured in several parts. */
  readonly several_captures: boolean;
  readonly partial_refund: boolean;
  readonly wallets: readonly WalletKind[];
  /** Networks whose tokens an account takes from the merchant. Empty: none. */
  readonly network_tokens: readonly CardBrand[];
  /** Whether authorisations may carry the result of an earlier 3-D Secure authentication. */
  readonly external_threeds: boolean;
  /** Whether merchants may charge stored cards without the payer. */
  readonly merchant_initiated: boolean;
  /** Whether files of evidence can be sent. */
  readonly evidence_files: boolean;
}

/** Limits of a processor for evidence. */
export interface EvidenceRules {
  /** Largest file in bytes by media type. Other types are refused. */
  readonly file_bytes_max: Readonly<Partial<Record<DisputeFileType, number>>>;
  /** Texts with their limits; attributes of one entry share its limit. Empty: no texts. */
  readonly texts: readonly EvidenceTextRule[];
  /** Purposes of files by kind; a processor takes one file of each entry. Absent: any number. */
  readonly one_file_of?: readonly (readonly DisputeFilePurpose[])[];
}

/** Attributes of a dispute whose texts have a limit together. */
export interface EvidenceTextRule {
  readonly names: readonly string[];
  readonly chars_max: number;
}

/** A setting or secret of an account. Operators' forms are drawn from it. */
export interface AccountField {
  /** Lower-case letters, digits and underscores, as in `merchant_account`. */
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** Secrets are write-only, and only the vault can read them. */
  readonly secret: boolean;
  readonly required: boolean;
  /** Pattern of the whole value; absent for any text. */
  readonly pattern?: RegExp;
  /** Patterns by mode, where the value shows its mode; instead of `pattern`. */
  readonly mode_patterns?: Readonly<Record<Mode, RegExp>>;
  /** A valid value that is not a secret. */
  readonly example?: string;
}

/** Ids of payments, as a processor shows them to people. */
export interface PaymentIds {
  /** Name and form of an id, after "must be": `the payment’s PSP reference: 16 capital letters and digits`. */
  readonly form: string;
  /** Reference of the payment, as later messages need it; undefined for no id of a payment of this processor. */
  referenceOf(id: string, payment: { readonly is_captured: boolean }): string | undefined;
}

/** An account, as its adapter needs it. Secrets are in the vault; messages name them. */
export interface AccountSettings {
  /** Id in the vault, for credentials. */
  readonly id: string;
  readonly mode: Mode;
  /** Values of the fields that are not secret. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Abilities of an adapter, and the fields of its accounts. */
export interface ProcessorMetadata {
  /** Key in the registry, stored with every attempt. */
  readonly name: string;
  readonly display_name: string;
  readonly fields: readonly AccountField[];
  /**
   * Names of settings that name the account at the processor, besides its address. Florin has one account of each: a
   * second one would get notifications of the first. Absent: any number.
   */
  readonly identity?: readonly string[];
  /** Name of the secret that notifications are signed with. Absent: notifications are not signed. */
  readonly signature_field?: string;
  readonly networks: readonly CardBrand[];
  /** Currencies; `all` of ISO 4217 except `refused_currencies`. */
  readonly currencies: 'all' | readonly string[];
  /** Currencies whose amounts the adapter cannot map without doubt. */
  readonly refused_currencies: readonly string[];
  /** Currencies of one account, if its contract fixes them; absent: `currencies`. */
  currenciesOf?(account: Pick<AccountSettings, 'settings'>): readonly string[];
  /** Whether one account takes several captures, if its contract decides; absent: the capability. */
  takesSeveralCaptures?(account: Pick<AccountSettings, 'settings'>): boolean;
  /** Whether the processor's units can express an amount; absent: all amounts. */
  takesAmount?(money: Money): boolean;
  /** Ids of payments that people read at the processor. Absent: any text, and later messages need none. */
  readonly payment_ids?: PaymentIds;
  /** Says why settings do not fit the mode or each other, in a sentence. Absent or undefined: they fit. */
  refusalOf?(account: Pick<AccountSettings, 'mode' | 'settings'>): string | undefined;
  readonly capabilities: Capabilities;
  /** Absent: anything that the interface takes. */
  readonly evidence?: EvidenceRules;
  readonly recovery: Recovery;
  /**
   * Longest time that a message can take to arrive, in milliseconds. Before that, a `not_found` may still
   * turn into an approval.
   */
  readonly arrival_ms_max: number;
  /** Time in which a follow-up with the same id is executed once, in milliseconds. */
  readonly idempotency_ms: number;
}
