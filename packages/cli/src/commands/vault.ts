import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sendVaultCommand } from '../api/vault-command.ts';
import { vaultCards } from '../cells/vault-cards.ts';
import { codeOf } from '../database/client.ts';
import { createWhole } from '../kernel/create-whole.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { parseCards, parseVaultCommand, usageError } from '../vault/words.ts';
import { vaultAdminSocket } from './services.ts';

/** Runs a command in the running vault of a data directory and prints its progress. Resolves with the exit code. */
export async function vault(
  words: string[],
  dataDir: string,
  print: (sentence: string) => void,
): Promise<number> {
  if (words[0] === 'cards') {
    if (await vaultCards(vaultAdminSocket(dataDir), parseCards(words.slice(1)), print)) return 0;
    throw usageError();
  }
  const command = parseVaultCommand(words);
  // Checked before the export: its audit head must be stored before the export is reported.
  if (command.head_output && existsSync(command.head_output))
    throw createWriteFailure(command.head_output, 'EEXIST');
  const socketPath = vaultAdminSocket(dataDir);
  const body = { ...command.body, ...(command.head && { head: await readHead(command.head) }) };
  const { ok, head } = await sendVaultCommand(socketPath, { ...command, body }, print);
  if (command.head_output && head) await writeHeadFile(command.head_output, head);
  return ok ? 0 : 1;
}

async function readHead(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new PlainFailure(`${file} is not a readable audit head.`, { cause });
  }
}

/** An older audit head is evidence and is never overwritten. */
async function writeHeadFile(file: string, head: unknown): Promise<void> {
  try {
    await createWhole(file, `${JSON.stringify(head, null, 2)}\n`);
  } catch (cause) {
    throw createWriteFailure(file, codeOf(cause), cause);
  }
}

function createWriteFailure(file: string, code: string | undefined, cause?: unknown): PlainFailure {
  const reason =
    code === 'EEXIST' ? 'the file exists; give another name' : `${code}; mend that, and repeat`;
  return new PlainFailure(`The audit head cannot be written to ${file}: ${reason}.`, { cause });
}
