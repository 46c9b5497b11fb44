import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startNetwork } from './network.ts';
import { startTestVault, type TestVault } from './vault.ts';

export interface VaultContext {
  readonly network: Awaited<ReturnType<typeof startNetwork>>;
  readonly vault: TestVault;
}

/** Starts a vault and its network for a test file. Clears received requests before each test. */
export function useVault(onStart: (context: VaultContext) => void): void {
  let context: VaultContext | undefined;
  beforeAll(async () => {
    const network = await startNetwork();
    context = { network, vault: await startTestVault([network.origin]) };
    onStart(context);
  });
  beforeEach(() => {
    if (context) context.network.received.length = 0;
  });
  afterAll(async () => {
    await context?.vault[Symbol.asyncDispose]();
    await context?.network[Symbol.asyncDispose]();
  });
}
