import { createHash } from 'node:crypto';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { VaultAdminLine } from '@florin/contract/protocol/vault-admin.ts';
import { badRequest } from '../kernel/errors.ts';
import { findVaultId } from '../keys/vault-id.ts';
import { type ImportDeps, importPage } from '../transfer/import.ts';
import { FIRST_POSITION, type Position } from '../transfer/page.ts';
import { type ReceiveDeps, receiveCards } from '../transfer/receive.ts';
import { PAGE_ROWS, type SendDeps, sendPage } from '../transfer/send.ts';
import { openTicket } from '../transfer/ticket.ts';
import { type Input, TOKEN_CHARS_MAX, toId, toInteger, toMode, toObject, toText } from './input.ts';

export interface TransferDeps extends ReceiveDeps, SendDeps, ImportDeps {
  /** Digests of the keys of vaults that may get cards. */
  readonly sends_cards_to: readonly string[];
}

type Report = (text: string, line?: Omit<VaultAdminLine, 'text' | 'ok'>) => void;

const TICKET_CHARS_MAX = 4_096;
const PAGE_CHARS_MAX = 900_000;
const PAGES_MAX = 10_000_000;

/** Writes a ticket with which another vault sends the cards of a merchant. */
export async function writeTicket(deps: TransferDeps, input: Input, report: Report): Promise<void> {
  const { ticket, digest } = await receiveCards(deps, toId(input.merchant_id, 'merchant_id'));
  report(`Start the other vault with VAULT_SENDS_CARDS_TO=${digest}.`, { data: ticket });
}

/** Sends a page of the cards of a ticket, sealed for the vault that wrote it. */
export async function sendCards(deps: TransferDeps, input: Input, report: Report): Promise<void> {
  const text = toText(input.ticket, 'ticket', TICKET_CHARS_MAX);
  const ticket = openTicket(text, deps.sends_cards_to, deps.clock());
  const position = input.position === undefined ? FIRST_POSITION : toPosition(input.position);
  const number = toInteger(input.number, 'number', 0, PAGES_MAX);
  const since = input.since === undefined ? undefined : toInstant(input.since);
  const { sealed, next } = await sendPage(deps, { ticket, position, number, since });
  report(`Page ${number}.`, { data: sealed, ...(next && { next }), import_id: ticket.import_id });
}

/** Stores a page from another vault. */
export async function storeCards(deps: TransferDeps, input: Input, report: Report): Promise<void> {
  const import_id = toId(input.import_id, 'import_id');
  const page = toText(input.page, 'page', PAGE_CHARS_MAX);
  const { is_last, merchant_id } = await importPage(deps, import_id, page);
  report(is_last ? 'All cards are stored.' : 'Page stored.', { is_last, merchant_id });
}

/** SQL: what a move must find here, with the key that orders a list. */
const LISTED = {
  cards: `select token as key, token as value from vault.cards
    where merchant_id = $1 and mode = $2 and token > $3 and attached_at is not null`,
  fingerprints: `select mark as key, id as value from vault.fingerprint_ids
    where merchant_id = $1 and mode = $2 and mark > $3`,
} as const;

/** Lists digests of the tokens of a merchant's cards, or of their fingerprints, so that a move knows that they are here. */
export async function listCards(deps: TransferDeps, input: Input, report: Report): Promise<void> {
  const merchant_id = toId(input.merchant_id, 'merchant_id');
  const mode = toMode(input.mode, 'mode');
  const after = input.after === undefined ? '' : toText(input.after, 'after', TOKEN_CHARS_MAX);
  const part = input.part === 'fingerprints' ? input.part : 'cards';
  const rows = await deps.db.query<{ key: string; value: string }>(
    `${LISTED[part]} order by key limit ${PAGE_ROWS}`,
    [merchant_id, mode, after],
  );
  const data = rows.map(({ value }) => createHash('sha256').update(value).digest('hex')).join(' ');
  const next = rows.length === PAGE_ROWS ? rows.at(-1)?.key : undefined;
  report(`${rows.length} ${part}.`, {
    data,
    ...(next && { next }),
    vault_id: await findVaultId(deps.db),
  });
}

function toPosition(value: unknown): Position {
  const { part, mode, after } = toObject(value, 'position');
  if (part === 'keys') return { part };
  if (part !== 'fingerprints' && part !== 'cards') throw badRequest('position is not known.');
  return {
    part,
    mode: toMode(mode, 'position.mode') as Mode,
    after: typeof after === 'string' ? after : '',
  };
}

function toInstant(value: unknown): Date {
  const instant = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(instant.getTime()))
    throw badRequest('since must be a time such as 2026-12-01T06:00:00Z.');
  return instant;
}
