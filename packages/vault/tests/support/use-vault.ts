import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startNetwork } from './network.ts';
import { startTestVault, type TestVault } from './vault.ts';

export interface UsedVault {
  readonly network: Awaited<ReturnType<typeof startNetwork>>;
  readonly vault: TestVault;
}

/** Starts a vault and its network for a test file. Clears received requests before each test. */
export function useVault(onStart: (used: UsedVault) => void): void {
  let used: UsedVault | undefined;
  beforeAll(async () => {
    const network = await startNetwork();
    used = { network, vault: await startTestVault([network.origin]) };
    onStart(used);
  });
  beforeEach(() => {
    if (used) used.network.received.length = 0;
  });
  afterAll(async () => {
    await used?.vault[Symbol.asyncDispose]();
    await used?.network[Symbol.asyncDispose]();
  });
}
