/** Opens a dialog for a confirmation that a request lacks. Resolves to whether the person confirmed. */
type Confirm = () => Promise<boolean>;

/** Connects requests with a dialog. */
export interface PersonConfirmation {
  /** Registers the dialog while the application is shown; undefined removes it. */
  set(confirm: Confirm | undefined): void;
  readonly ask: Confirm;
}

function createPersonConfirmation(): PersonConfirmation {
  let confirm: Confirm | undefined;
  return {
    set(next) {
      confirm = next;
    },
    ask: async () => (confirm ? confirm() : false),
  };
}

/** Confirms the identity of a person whose sign-in is too old for a request. */
export const identity: PersonConfirmation = createPersonConfirmation();
/** Signs a person in again after their session has ended. */
export const session: PersonConfirmation = createPersonConfirmation();
