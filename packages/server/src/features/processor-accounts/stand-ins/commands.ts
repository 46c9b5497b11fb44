import { problem } from '@florin/contract/errors.ts';
import type { StandInCommand } from '@florin/contract/protocol/processor-command.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { ProcessorAdapter } from '../../../processors/port/define-adapter.ts';
import { titleOf } from '../commands/describe.ts';
import { findNamedAccount } from '../commands/find-account.ts';
import { type CommandReport, done } from '../commands/report.ts';
import { findProcessorAccount } from '../sql.ts';
import { postControl, requireStandIn, standInAddressOf } from './control.ts';
import { describeFaults } from './describe-faults.ts';
import { addFaults, clearFaults } from './faults.ts';
import { findApproval, findSandboxDispute } from './sql.ts';
import { type StandIn, standIns } from './stand-ins.ts';

const CLI = 'npm run florin -- processors';

interface StandInServices {
  readonly db: Db;
  readonly adapters: Readonly<Record<string, ProcessorAdapter>>;
}

const COMMANDS: readonly string[] = [
  'faults',
  'clear_faults',
  'refuse_key',
  'open_dispute',
  'end_dispute',
] satisfies StandInCommand['command'][];

export const isStandInCommand = (command: {
  readonly command: string;
}): command is StandInCommand => COMMANDS.includes(command.command);

/** Makes a stand-in do what the processor, a payer or a bank would do. Throws `ProblemError` that names what is wrong. */
export async function runStandInCommand(
  services: StandInServices,
  command: StandInCommand,
): Promise<CommandReport> {
  switch (command.command) {
    case 'faults':
      return startFaults(services, command);
    case 'clear_faults':
      await clearFaults(command);
      return done('The stand-in has no faults any more.');
    case 'refuse_key':
      return refuseKey(services, command);
    case 'open_dispute':
      return openDispute(services, command);
    case 'end_dispute':
      return endDispute(services, command);
  }
}

async function startFaults(
  services: StandInServices,
  command: Extract<StandInCommand, { command: 'faults' }>,
): Promise<CommandReport> {
  const { processor, faults, florin_url } = command;
  await addFaults(services, command, faults);
  const adapter = services.adapters[processor] as ProcessorAdapter;
  return done(
    [
      describeFaults(adapter.metadata, faults, requireStandIn(processor).disputes !== undefined),
      `Next: pay at ${florin_url}/shop. The page of the payment shows its attempts; the page Notifications shows what arrives.`,
      `A restart ends the faults, and so does: ${CLI} faults ${processor} --clear`,
    ].join('\n'),
  );
}

async function refuseKey(
  { db }: StandInServices,
  command: Extract<StandInCommand, { command: 'refuse_key' }>,
): Promise<CommandReport> {
  const row = await findNamedAccount(db, command);
  const { standIn, url } = await standInOf(row, command.simulator_url);
  const account = JSON.parse(row.settings as string)[standIn.account_setting];
  await postControl(url, { path: '/refused-keys', body: { account } });
  return done(
    [
      `The stand-in refuses the key of ${titleOf(row)}, as after a revocation.`,
      `Next: pay at ${command.florin_url}/shop. The notice is in the operator's console, and here: ${CLI} show ${row.id}`,
      `Give the account new keys: ${CLI} try --renew ${row.id}`,
      `A restart accepts the old key again, and so does: ${CLI} faults ${row.processor} --clear`,
    ].join('\n'),
  );
}

async function openDispute(
  { db }: StandInServices,
  { payment, simulator_url }: Extract<StandInCommand, { command: 'open_dispute' }>,
): Promise<CommandReport> {
  const approval = isUuid(payment) ? await findApproval(db, payment) : undefined;
  if (!approval?.processor_account_id)
    throw problem(
      'not_found',
      `No stand-in has approved a payment with the id ${payment}. The page of a payment shows its id, and the account of its attempt.`,
    );
  const { url, disputes } = await disputesAt(db, approval, simulator_url);
  await postControl(url, disputes.open(approval.processor_reference as string));
  return done(
    `The payer disputes the payment. Florin stores the dispute once the notification arrives, within seconds. Answer it in the dashboard, then end it: ${CLI} try-dispute DISPUTE --end won`,
  );
}

async function endDispute(
  { db }: StandInServices,
  { dispute, end, simulator_url }: Extract<StandInCommand, { command: 'end_dispute' }>,
): Promise<CommandReport> {
  const row = isUuid(dispute) ? await findSandboxDispute(db, dispute) : undefined;
  if (!row?.processor_account_id)
    throw problem(
      'not_found',
      `No dispute at a stand-in has the id ${dispute}. The page of a dispute shows its id.`,
    );
  if (end === 'second_chargeback' && row.status !== 'won')
    throw problem(
      'invalid_state',
      `A second chargeback takes back a won dispute. This one is ${row.status}.`,
    );
  const { url, disputes } = await disputesAt(db, row, simulator_url);
  for (const request of disputes.end(row.reference as string, end)) await postControl(url, request);
  return done(
    `The bank decides: ${end.replace('_', ' ')}. Florin learns of it by a notification, within seconds.`,
  );
}

/** Control surface of the stand-in of an account. Throws 422 if the account is not at a stand-in with disputes. */
async function disputesAt(
  db: Db,
  { processor_account_id }: Row,
  simulator_url: string,
): Promise<{ readonly url: string; readonly disputes: NonNullable<StandIn['disputes']> }> {
  const account = (await findProcessorAccount(db, processor_account_id as string)) as Row;
  const { standIn, url } = await standInOf(account, simulator_url);
  if (standIn.disputes) return { url, disputes: standIn.disputes };
  throw problem('invalid', 'The processor notifies no disputes, so that Florin would not see it.');
}

/** Stand-in of an account, with its address at the simulator. Throws 422 if the account is somewhere else. */
export async function standInOf(
  { name, processor, settings }: Row,
  simulator_url: string,
): Promise<{ readonly standIn: StandIn; readonly url: string }> {
  const standIn = standIns[processor as string];
  const url = simulator_url + (standIn?.path ?? '');
  const { api_url } = JSON.parse(settings as string) as { readonly api_url?: string };
  if (standIn && [url, await standInAddressOf(simulator_url, standIn)].includes(api_url ?? ''))
    return { standIn, url };
  throw problem(
    'invalid',
    `The account ${name} is not at a stand-in of the simulated card network. The command ${CLI} try PROCESSOR connects one.`,
  );
}
