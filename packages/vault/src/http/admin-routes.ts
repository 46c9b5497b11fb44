import type { ServerResponse } from 'node:http';
import {
  type AuditHead,
  type VaultAdminLine,
  vaultAdminPaths,
} from '@florin/contract/protocol/vault-admin.ts';
import { verifyChain } from '../audit/audit-store.ts';
import { exportHead, findHeadFault, type HeadDeps } from '../audit/head.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { KeyWatch } from '../keys/key-watch.ts';
import type { SealingKeys } from '../keys/sealing-keys.ts';
import type { VaultSelf } from '../keys/vaults.ts';
import type { OpenSecretDeps } from '../processor-accounts/open-secret.ts';
import type { Sender } from '../relay/sender.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import type { RootDeps } from '../rotation/rewrap-keys.ts';
import type { Rotator } from '../rotation/rotator.ts';
import { failureText } from './admin-failure.ts';
import { readJson } from './body.ts';
import { ACTOR, type Announce, type Command } from './command.ts';
import { destroy, previewDestroy } from './destroy-commands.ts';
import { type TriableCommand, withDryRuns } from './dry-run.ts';
import { type Input, toInteger, toObject, toText } from './input.ts';
import {
  closeImportWindow,
  limitNewNumbers,
  openImportWindow,
  previewImportClose,
  previewImportOpen,
  previewLimit,
} from './limit-commands.ts';
import { printable } from './printable.ts';
import { startLines } from './reply.ts';
import { previewRetire, retire } from './retire-command.ts';
import { previewRotate, rotate } from './rotate-commands.ts';
import { acceptRules, listRules, withdrawRules } from './rules-commands.ts';
import type { Handler, Routes } from './server.ts';
import {
  listCards,
  sendCards,
  storeCards,
  type TransferDeps,
  writeTicket,
} from './transfer-commands.ts';

export interface AdminDeps extends TransferDeps, RootDeps, HeadDeps, OpenSecretDeps {
  readonly rotator: Rotator;
  readonly keyWatch: Pick<KeyWatch, 'status'>;
  readonly sealingKeys: Pick<SealingKeys, 'loadPublicKeys'>;
  readonly self: VaultSelf;
  readonly sender: Pick<Sender, 'closeAccount'>;
  readonly log: Log;
}

/** Commands for operators, on a separate socket that the server cannot reach. */
export function createAdminRoutes(deps: AdminDeps): Routes {
  const commands: Readonly<Record<string, Command>> = {
    [vaultAdminPaths.keys]: async (_input, report) => {
      for (const { kid, mode } of await deps.sealingKeys.loadPublicKeys()) report(`${mode} ${kid}`);
    },
    [vaultAdminPaths.rulesList]: (_input, report) => listRules(deps, report),
    [vaultAdminPaths.rulesAccept]: (input, report) => acceptRules(deps, input, report),
    [vaultAdminPaths.rulesWithdraw]: (input, report) => withdrawRules(deps, input, report),
    [vaultAdminPaths.cardsReceive]: (input, report) => writeTicket(deps, input, report),
    [vaultAdminPaths.cardsSend]: (input, report) => sendCards(deps, input, report),
    [vaultAdminPaths.cardsImport]: (input, report) => storeCards(deps, input, report),
    [vaultAdminPaths.cardsList]: (input, report) => listCards(deps, input, report),
    [vaultAdminPaths.audit]: (input, report) => verifyAudit(deps, input, report),
    [vaultAdminPaths.auditExport]: async (_input, report) => {
      const head = await exportHead(deps, ACTOR);
      report(`The head is entry ${head.seq}, signed.`, { head });
    },
    ...withDryRuns(deps.db, createTriableCommands(deps)),
  };
  return Object.fromEntries(
    Object.entries(commands).map(([path, run]) => [
      `POST ${path}`,
      createCommandHandler(deps, path, run),
    ]),
  );
}

/** Commands with a dry run, by path. */
const createTriableCommands = (deps: AdminDeps): Readonly<Record<string, TriableCommand>> => ({
  [vaultAdminPaths.rotate]: {
    run: (...call) => rotate(deps.rotator, ...call),
    preview: (db, ...call) => previewRotate({ ...deps, db }, ...call),
  },
  [vaultAdminPaths.destroy]: {
    run: (...call) => destroy(deps, ...call),
    preview: (db, ...call) => previewDestroy({ ...deps, db }, ...call),
  },
  [vaultAdminPaths.retire]: {
    run: (...call) => retire(deps, ...call),
    preview: (db, ...call) => previewRetire({ ...deps, db }, ...call),
  },
  [vaultAdminPaths.limit]: {
    run: (input, report) => limitNewNumbers(deps, input, report),
    preview: previewLimit,
  },
  [vaultAdminPaths.importOpen]: {
    run: (input, report) => openImportWindow(deps, input, report),
    preview: (db, ...call) => previewImportOpen({ ...deps, db }, ...call),
  },
  [vaultAdminPaths.importClose]: {
    run: (input, report) => closeImportWindow(deps, input, report),
    preview: (db, ...call) => previewImportClose({ ...deps, db }, ...call),
  },
});

/**
 * Makes a command's handler. Responses are lines sent as the command proceeds. The last line says whether it succeeded,
 * also after a failure of the vault, because operators wait for it.
 */
const createCommandHandler =
  ({ audit, log }: Pick<AdminDeps, 'audit' | 'log'>, path: string, run: Command): Handler =>
  async (request, response) => {
    const input = toObject(await readJson(request), 'The body');
    const lines = startLines(response);
    const write: (line: VaultAdminLine) => void = lines.write;
    const timer = setInterval(() => keepOpen(response), KEEP_OPEN_MS);
    let isAnnounced = false;
    const announce: Announce = async (entry, subject) => {
      const outcome = subject === undefined ? 'requested' : `requested: ${subject}`;
      await audit.record({ actor: ACTOR, ...entry, outcome });
      isAnnounced = true;
    };
    try {
      await run(input, (text, more) => write({ ...more, text: printable(text) }), announce);
      write({ ok: true });
    } catch (error) {
      write({ text: printable(failureText({ error, path, isAnnounced, log })), ok: false });
    } finally {
      clearInterval(timer);
    }
    lines.end();
  };

const KEEP_OPEN_MS = 5_000;
/** Sends an empty line, so that a quiet connection does not look dead. */
const keepOpen = (response: ServerResponse): void => void response.write('\n');

async function verifyAudit(deps: AdminDeps, input: Input, report: ReportProgress): Promise<void> {
  const { entries, head, fault } = await verifyChain(deps.db, (count) =>
    report(`Verified ${count} entries.`),
  );
  if (fault) {
    throw new VaultRefusal(
      'bad_request',
      `The audit is invalid after ${entries} entries: ${fault}.`,
    );
  }
  report(`All ${entries} entries are valid. The head is ${head}.`);
  if (input.head === undefined) return;
  const exportedHead = toHead(toObject(input.head, 'head'));
  const headFault = await findHeadFault(deps, exportedHead, entries);
  if (headFault) throw new VaultRefusal('bad_request', headFault);
  report(`The first ${exportedHead.seq} match the head exported at ${exportedHead.at}.`);
}

const HEAD_CHARS_MAX = 200;

const toHead = (input: Input): AuditHead => ({
  seq: toInteger(input.seq, 'head.seq', 1, Number.MAX_SAFE_INTEGER),
  hash: toText(input.hash, 'head.hash', HEAD_CHARS_MAX),
  at: toText(input.at, 'head.at', HEAD_CHARS_MAX),
  public_key: toText(input.public_key, 'head.public_key', HEAD_CHARS_MAX),
  signature: toText(input.signature, 'head.signature', HEAD_CHARS_MAX),
});
