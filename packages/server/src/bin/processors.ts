import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type {
  DisputeCommand,
  DryRunFlag,
  ProcessorCommand,
  ReportCommand,
  StandInCommand,
} from '@florin/contract/protocol/processor-command.ts';
import { databaseFromEnv, globalDatabaseFromEnv, vaultsFromEnv } from '../config/env.ts';
import { isDisputeCommand, runDisputeCommand } from '../features/disputes/commands.ts';
import { createProcessorAccounts } from '../features/processor-accounts/accounts.ts';
import type { CommandReport } from '../features/processor-accounts/commands/report.ts';
import {
  type CommandServices,
  runProcessorCommand,
} from '../features/processor-accounts/commands/run.ts';
import {
  isStandInCommand,
  runStandInCommand,
} from '../features/processor-accounts/stand-ins/commands.ts';
import { isReportCommand, runReportCommand } from '../features/settlement/reports/commands.ts';
import { openDatabase } from '../platform/database/db.ts';
import { DRY_RUN_HEAD, dryRunOf } from '../platform/dry-run.ts';
import { createLogger } from '../platform/logger.ts';
import { systemClock } from '../platform/time/clock.ts';
import { adapters } from '../processors/adapters/index.ts';
import { createProcessors } from '../processors/index.ts';
import { createRelay } from '../processors/wire/relay.ts';
import { openVaults } from '../processors/wire/vaults.ts';

/** Routing asks whether a mode has a network. Nothing is sent there, so that the address does not matter. */
const NO_NETWORK = { simulatorUrl: 'http://localhost' };

/** Runs the command on standard input, in JSON, which may contain secrets. Prints none. */
async function main(): Promise<number> {
  const command = (await readStandardInput()) as Command & DryRunFlag;
  const is_dry = command.dry_run === true;
  await using db = openDatabase({ url: databaseFromEnv(), connections_max: 1 });
  await using global = openDatabase({ url: globalDatabaseFromEnv(), connections_max: 1 });
  await using vaults = openVaults(vaultsFromEnv());
  const services = {
    is_dry,
    db: is_dry ? dryRunOf(db) : db,
    global: is_dry ? dryRunOf(global) : global,
    relay: createRelay({ vaults }),
    adapters,
    system_clock: systemClock(),
    processorOf: createProcessors(NO_NETWORK).of,
    accounts: await createProcessorAccounts({ db, adapters, logger: createLogger('silent') }),
  };
  const report = await runCommand(services, command);
  process.stdout.write(`${is_dry ? DRY_RUN_HEAD : ''}${report.text}\n`);
  return report.ok ? 0 : 1;
}

type Command = ProcessorCommand | ReportCommand | DisputeCommand | StandInCommand;

function runCommand(
  services: CommandServices & Parameters<typeof runReportCommand>[0],
  command: Command,
): Promise<CommandReport> {
  if (isDisputeCommand(command)) return runDisputeCommand(services, command);
  if (isStandInCommand(command)) return runStandInCommand(services, command);
  return isReportCommand(command)
    ? runReportCommand(services, command)
    : runProcessorCommand(services, command);
}

async function readStandardInput(): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

function describeError(error: unknown): string {
  if (error instanceof ProblemError) return error.problems.map(describeProblem).join('\n');
  const { message, code } = error as Error & { readonly code?: string };
  const nextStep =
    code === UNDEFINED_TABLE
      ? ' Start this version of Florin once, which updates the database.'
      : '';
  return `The command failed: ${message.replace(/\.$/, '')}.${nextStep}`;
}

/** Options of the command line by the members of the interface. */
const optionByMember: Readonly<Record<string, string>> = {
  settings: '--set',
  secrets: '--secret',
};

function describeProblem({ code, detail, source }: Problem): string {
  const pointer = source && 'pointer' in source ? source.pointer : '';
  if (pointer === '/give_up_refunds')
    return detail.replace('send give_up_refunds: true', 'add --give-up-refunds');
  const [, member = '', field] = /^\/(\w+)\/(\w+)$/.exec(pointer) ?? [];
  const option = optionByMember[member];
  if (!option || !field || code === 'unknown_attribute') return detail;
  return `${detail} Option: ${option} ${field}=${member === 'secrets' ? 'FILE' : 'VALUE'}`;
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${describeError(error)}\n`);
  return 1;
});
