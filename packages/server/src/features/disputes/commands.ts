import { problem } from '@florin/contract/errors.ts';
import type { AccountName, DisputeCommand } from '@florin/contract/protocol/processor-command.ts';
import type { Row } from '../../platform/database/row.ts';
import { isUuid } from '../../platform/ids.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { tableOf, timeOf } from '../processor-accounts/commands/describe.ts';
import { findNamedAccount } from '../processor-accounts/commands/find-account.ts';
import type { CommandReport } from '../processor-accounts/commands/report.ts';
import { findProcessorAccount } from '../processor-accounts/sql.ts';
import { requireClosable, SILENT_SECONDS } from './decide-close.ts';
import { findDisputeById, listClosable, requestClosing } from './sql/closings.ts';

const CLI = 'npm run florin -- processors';
const DISPUTES_SHOWN_MAX = 50;

type CommandServices = Pick<Services, 'db' | 'system_clock'>;

export const isDisputeCommand = (command: {
  readonly command: string;
}): command is DisputeCommand =>
  command.command === 'disputes' || command.command === 'close_dispute';

/** Runs a command about disputes. Throws `ProblemError` that names what is wrong. */
export const runDisputeCommand = (
  services: CommandServices,
  command: DisputeCommand,
): Promise<CommandReport> =>
  command.command === 'disputes' ? list(services, command.name) : close(services, command);

async function list(
  { db, system_clock }: CommandServices,
  name: AccountName | undefined,
): Promise<CommandReport> {
  const account = name && (await findNamedAccount(db, name));
  const rows = await listClosable(db, {
    processor_account_id: account?.id ?? null,
    silent_before: instantText(system_clock.now() - seconds(SILENT_SECONDS)),
    limit: DISPUTES_SHOWN_MAX,
    after: undefined,
  });
  return { ok: true, text: rows.length > 0 ? describeDisputes(rows) : NO_DISPUTES };
}

const NO_DISPUTES =
  'No dispute needs an operator: none is open at an account that is removed or silent.';

function describeDisputes(rows: readonly Row[]): string {
  const head = ['id', 'account', 'why', 'mode', 'reference', 'amount', 'state', 'since'];
  const lines = rows.map((row) => [
    row.id,
    row.account,
    row.why,
    row.mode,
    row.reference,
    `${row.amount_cents} ${row.amount_currency}`,
    row.status,
    timeOf(row.created_at),
  ]);
  const next = `Amounts are in minor units. Look each up at its processor by the reference. Next: ${CLI} close-dispute ID --outcome lost --reason TEXT`;
  return [tableOf([head, ...lines.map((line) => line.map(String))]), next].join('\n');
}

async function close(
  { db, system_clock }: CommandServices,
  { id, outcome, reason }: Extract<DisputeCommand, { command: 'close_dispute' }>,
): Promise<CommandReport> {
  const dispute = isUuid(id) ? await findDisputeById(db, id) : undefined;
  if (!dispute)
    throw problem(
      'not_found',
      `No dispute has the id ${id}. The command ${CLI} disputes lists those to close.`,
    );
  const now = system_clock.now();
  const { processor_account_id } = dispute;
  const account = await findProcessorAccount(db, processor_account_id ?? null);
  requireClosable(dispute, account, now);
  await requestClosing(db, dispute, { outcome, reason, at: instantText(now) });
  const state = outcome === 'won' ? 'won' : 'lost';
  return {
    ok: true,
    text: `Florin closes the dispute ${id} as ${state} within seconds, or at its next start.`,
  };
}
