import type { CommandResult } from './admin.ts';
import type { TestVault } from './vault.ts';

/** Ids of what waits for an operator, as the list shows them. */
export async function listPending({ admin }: Pick<TestVault, 'admin'>): Promise<string[]> {
  const { sentences } = await admin('/rules/list');
  return sentences.flatMap((line) => /^(\w+) pending: /.exec(line)?.[1] ?? []);
}

/** Accepts all that waits, as an operator who has compared it. Returns the result of each. */
export async function acceptPending(vault: Pick<TestVault, 'admin'>): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  for (const id of await listPending(vault))
    results.push(await vault.admin('/rules/accept', { id }));
  return results;
}
