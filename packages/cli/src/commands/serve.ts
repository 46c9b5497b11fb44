import { join } from 'node:path';
import { PlainFailure } from '../kernel/plain-failure.ts';
import type { Role } from '../production/gap.ts';
import { processesDirectory } from '../supervisor/lock.ts';
import type { Service } from '../supervisor/slot.ts';
import { findGaps, parseRole, renderGaps } from './check.ts';
import { processName, type ServiceContext, serverService, vaultService } from './services.ts';
import { type SuperviseOptions, supervise } from './supervise.ts';

export const SERVE_USAGE = `       npm run florin -- serve server | api | worker | router | vault
           runs the server, one half of it, the vault, or the router of an installation with cells in production
           (FLORIN_ENV=production);
           starts nothing while "florin check" finds a gap`;

/** Runs a role in production until a stop is requested. Resolves with the exit code. */
export async function serve(words: string[], options: SuperviseOptions): Promise<number> {
  const role = parseRole(words, SERVE_USAGE);
  const { gaps, notes } = await findGaps(role);
  const stopping = gaps.filter(({ may_start }) => !may_start);
  if (stopping.length > 0) throw new PlainFailure(renderGaps(role, stopping));
  const { settings, print } = options;
  for (const { problem, fix } of gaps) print(`Warning: ${problem} ${fix}`);
  for (const warning of [...settings.warnings, ...notes]) print(warning);
  return supervise(
    { ...options, stateDir: stateDirectory(role, settings) },
    async (supervised, stack) => {
      print(`Starting the ${role}.`);
      const { notice } = await stack.start(serviceOf(role, { ...options, ...supervised }));
      print(`The ${role} is ready.`);
      if (notice) print(notice);
    },
  );
}

/** Api and worker of a machine share the data directory, so each has its lock in a directory of its own. */
function stateDirectory(role: Role, settings: SuperviseOptions['settings']): string {
  if (role === 'vault' || role === 'server') return settings.dataDir;
  return join(processesDirectory(settings.dataDir), processName(role, settings));
}

/** The check has found these variables. */
function serviceOf(role: Role, context: ServiceContext): Service {
  const { databaseUrl = '', vaultDatabaseUrl = '', vaultSocket: socket } = context.settings;
  if (role !== 'vault') return serverService(context, { role, socket, database_url: databaseUrl });
  const { VAULT_EGRESS: egress = '' } = context.settings.inherited.vault;
  const vault = { socket, is_shared: true, database_url: vaultDatabaseUrl, egress };
  return vaultService(context, vault);
}
