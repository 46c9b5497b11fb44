/** Asks the person to show again who they are; whether they have. */
type Asker = () => Promise<boolean>;

let asker: Asker | undefined;

/** Says who asks, as long as the frame of the application is shown. */
export function setIdentityAsker(next: Asker | undefined): void {
  asker = next;
}

export const askIdentity: Asker = async () => (asker ? asker() : false);
