/** Why a refund is made, as a person enters it. */
export interface EnteredReason {
  /** A reason of the interface; empty before the choice. */
  readonly reason: string;
  readonly note: string;
}

export const NO_REASON: EnteredReason = { reason: '', note: '' };

/** Attributes of a refund with this reason. Leaves out an empty note. */
export const reasonAttributes = ({ reason, note }: EnteredReason) => ({
  reason,
  ...(note.trim() && { reason_note: note.trim() }),
});
