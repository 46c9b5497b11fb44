import type { ServerResponse } from 'node:http';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import {
  type AuditHead,
  type VaultAdminLine,
  vaultAdminPaths,
} from '@florin/contract/protocol/vault-admin.ts';
import type { AuditEntry } from '../audit/audit.ts';
import { verifyChain } from '../audit/audit-store.ts';
import { exportHead, findHeadFault, type HeadDeps } from '../audit/head.ts';
import { destroyCard, destroyMerchant } from '../cards/destroy.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { SealingKeys } from '../keys/sealing-keys.ts';
import { findOtherVaults, removeVault, SILENT_MS, type VaultSelf } from '../keys/vaults.ts';
import type { OpenSecretDeps } from '../processor-accounts/open-secret.ts';
import type { Sender } from '../relay/sender.ts';
import { destroyRoot } from '../rotation/destroy-root.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import type { RootDeps } from '../rotation/rewrap-keys.ts';
import type { Rotator } from '../rotation/rotator.ts';
import { failureText } from './admin-failure.ts';
import { readJson } from './body.ts';
import {
  type Input,
  TOKEN_CHARS_MAX,
  toId,
  toInteger,
  toObject,
  toScope,
  toText,
} from './input.ts';
import { closeImportWindow, limitNewNumbers, openImportWindow } from './limit-commands.ts';
import { printable } from './printable.ts';
import { startLines } from './reply.ts';
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
  readonly sealingKeys: Pick<SealingKeys, 'loadPublicKeys'>;
  readonly self: VaultSelf;
  readonly sender: Pick<Sender, 'closeAccount'>;
  readonly log: Log;
}

const ACTOR = 'operator';
const VERSION_MAX = 1_000_000;
const WORD_CHARS_MAX = 32;

/** Stores that a command was requested, before it takes effect. Rejects with `AuditError`: then it must not. */
type Announce = (entry: Omit<AuditEntry, 'actor' | 'outcome'>, subject?: string) => Promise<void>;

/** Sends a sentence, with the head of an export or a page of cards. */
type ReportWithHead = (sentence: string, more?: Omit<VaultAdminLine, 'text' | 'ok'>) => void;

/** A command. Each that changes something stores an audit entry first. */
type Command = (input: Input, report: ReportWithHead, announce: Announce) => Promise<void>;

/** Commands for operators, on a separate socket that the server cannot reach. */
export function createAdminRoutes(deps: AdminDeps): Routes {
  const commands: Readonly<Record<string, Command>> = {
    [vaultAdminPaths.rotate]: (...call) => rotate(deps.rotator, ...call),
    [vaultAdminPaths.destroy]: (...call) => destroy(deps, ...call),
    [vaultAdminPaths.keys]: async (_input, report) => {
      for (const { kid, mode } of await deps.sealingKeys.loadPublicKeys()) report(`${mode} ${kid}`);
    },
    [vaultAdminPaths.retire]: (...call) => retire(deps, ...call),
    [vaultAdminPaths.limit]: (input, report) => limitNewNumbers(deps, input, report),
    [vaultAdminPaths.importOpen]: (input, report) => openImportWindow(deps, input, report),
    [vaultAdminPaths.importClose]: (input, report) => closeImportWindow(deps, input, report),
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
  };
  return Object.fromEntries(
    Object.entries(commands).map(([path, run]) => [
      `POST ${path}`,
      createCommandHandler(deps, path, run),
    ]),
  );
}

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

async function rotate(
  rotator: Rotator,
  input: Input,
  report: ReportProgress,
  announce: Announce,
): Promise<void> {
  const keyKind = toText(input.key, 'key', WORD_CHARS_MAX);
  if (!KEY_KINDS.has(keyKind))
    throw new VaultRefusal('bad_request', 'key must be seal, kek, root, epoch or due.');
  const selection = selectionOf(input);
  await announce({ verb: `rotate_${keyKind}`, ...(keyKind === 'kek' && selection) });
  switch (keyKind) {
    case 'seal':
      return rotator.rotateSeal(input.at_once === true ? 'at once' : 'requested', ACTOR, report);
    case 'kek':
      return rotator.rotateKeks(selection, ACTOR, report);
    case 'root':
      return rotator.rotateRoot(ACTOR, report);
    case 'epoch':
      return rotator.rotateEpochs(ACTOR, report);
    default:
      await rotator.runDue();
      return report('All rotations that were due are done. The audit log lists them.');
  }
}

const KEY_KINDS: ReadonlySet<string> = new Set(['seal', 'kek', 'root', 'epoch', 'due']);

function selectionOf({ merchant_id, mode }: Input) {
  return {
    ...(merchant_id !== undefined && { merchant_id: toId(merchant_id, 'merchant_id') }),
    ...(mode !== undefined && { mode: toText(mode, 'mode', WORD_CHARS_MAX) as Mode }),
  };
}

async function destroy(
  deps: AdminDeps,
  input: Input,
  report: ReportProgress,
  announce: Announce,
): Promise<void> {
  if (input.root_version !== undefined) {
    const version = toInteger(input.root_version, 'root_version', 1, VERSION_MAX);
    await announce({ verb: 'destroy_root' }, `version ${version}`);
    await destroyRoot(deps, version);
    await deps.audit.record({
      actor: ACTOR,
      verb: 'destroy_root',
      outcome: `version ${version}`,
    });
    return report(
      `Version ${version} of the root key is destroyed. Keys that only this version encrypts are lost.`,
    );
  }
  const scope = toScope(input);
  if (input.card_pan_token !== undefined) {
    const token = toText(input.card_pan_token, 'card_pan_token', TOKEN_CHARS_MAX);
    await announce({ verb: 'destroy_card', ...scope, token });
    await destroyCard(deps, scope, token, ACTOR);
    return report('The card is destroyed.');
  }
  await announce({ verb: 'destroy_merchant', ...scope });
  const count = await destroyMerchant(deps, scope, deps.clock(), ACTOR);
  report(`The key and ${count} cards are destroyed. ${BACKUPS_HINT}`);
}

const NAME_CHARS_MAX = 1_000;

/** Removes a vault that no longer exists from the list of vaults that rotations wait for. */
async function retire(
  deps: AdminDeps,
  input: Input,
  report: ReportProgress,
  announce: Announce,
): Promise<void> {
  const name = toText(input.name, 'name', NAME_CHARS_MAX);
  await announce({ verb: 'retire_vault' }, name);
  if (!(await removeVault(deps.db, name, new Date(deps.clock() - SILENT_MS)))) {
    const vaultNames = (await findOtherVaults(deps.db, deps.self)).map((vault) => vault.name);
    throw new VaultRefusal('bad_request', notRetiredDetail(name, vaultNames));
  }
  await deps.audit.record({ actor: ACTOR, verb: 'retire_vault', outcome: name });
  report(`Rotations no longer wait for ${name}. If it starts again, it needs the newest root key.`);
}

const notRetiredDetail = (name: string, vaultNames: readonly string[]): string =>
  vaultNames.includes(name)
    ? `${name} was active within the last ${SILENT_MS / 1000} s. Stop it, then wait ${SILENT_MS / 1000} s.`
    : `No other vault has the name ${name}. Known names: ${vaultNames.join(', ') || 'none'}.`;

const BACKUPS_HINT =
  'Older backups hold the key under the root key: rotate root, then destroy the replaced version.';

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
