import { problem } from '@florin/contract/errors.ts';
import type { ReportCommand } from '@florin/contract/protocol/processor-command.ts';
import type { Db } from '../../../platform/database/db.ts';
import { findNamedAccount } from '../../processor-accounts/commands/find-account.ts';
import { type CommandReport, done } from '../../processor-accounts/commands/report.ts';
import { standInOf } from '../../processor-accounts/stand-ins/commands.ts';
import { postControl } from '../../processor-accounts/stand-ins/control.ts';
import { makeListDue } from './sql/lists.ts';

const CLI = 'npm run florin -- processors';
/** Type of a report's row that Florin does not know. */
const UNCLEAR_TYPE = 'Sandbox Adjustment';

/** Lets the stand-in of an account write a settlement report now, and Florin look for it. */
export async function settleStandIn(
  { db, now }: { readonly db: Db; readonly now: string },
  command: Extract<ReportCommand, { command: 'settle_stand_in' }>,
): Promise<CommandReport> {
  const account = await findNamedAccount(db, command);
  const { standIn, url } = await standInOf(account, command.simulator_url);
  const settings = JSON.parse(account.settings as string) as Readonly<Record<string, string>>;
  if (!standIn.report)
    throw problem('invalid_state', 'Florin reads no settlement reports of this processor.');
  const name = settings[standIn.account_setting] as string;
  await postControl(url, standIn.report(name, command.with_unclear_row ? UNCLEAR_TYPE : undefined));
  await makeListDue(db, account.id as string, now);
  return done(
    `The stand-in wrote a settlement report. Florin imports it within seconds. Next: ${CLI} reports ${account.id}`,
  );
}
