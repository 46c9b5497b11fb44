/** Longest note about a payment, in characters. */
export const NOTE_CHARS_MAX = 2_000;
/** Notes about one payment. */
export const NOTES_MAX = 100;

/** A member's note about a payment, for colleagues. */
export interface PaymentNote {
  readonly id: string;
  readonly text: string;
  /** Name of the author, or the email address of an author without a name. */
  readonly author: string;
  /** Whether the caller wrote the note, and so may delete it. */
  readonly is_own: boolean;
  readonly created_at: string;
}

export interface PaymentNotes {
  /** Oldest first. */
  readonly notes: readonly PaymentNote[];
  /** Names that a note can mention after an `@`. Empty if the caller may not write notes. */
  readonly mentionable: readonly string[];
}
