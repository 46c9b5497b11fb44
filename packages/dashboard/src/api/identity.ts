/** Asks the person for something that a request takes; whether it was given. */
type Asker = () => Promise<boolean>;

/** Where requests ask, and where somebody says who asks the person for them. */
export interface Asking {
  /** Says who asks, as long as the frame of the application is shown. */
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

/** To show again who they are, who has signed in long ago. */
export const identity: Asking = createAsking();
/** To sign in again, whose session has ended below what they do. */
export const session: Asking = createAsking();
