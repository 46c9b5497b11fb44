/** Opens a dialog for what a request lacks. Resolves to whether the person gave it. */
type Asker = () => Promise<boolean>;

/** Connects requests with the dialog that asks the person. */
export interface Asking {
  /** Registers the dialog while the application's frame is shown. */
  set(asker: Asker | undefined): void;
  readonly ask: Asker;
}

function createAsking(): Asking {
  let asker: Asker | undefined;
  return {
    set(next) {
      asker = next;
    },
    ask: async () => (asker ? asker() : false),
  };
}

/** Confirms the identity of a person whose sign-in is too old for a request. */
export const identity: Asking = createAsking();
/** Signs a person in again after their session has ended. */
export const session: Asking = createAsking();
