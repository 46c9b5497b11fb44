import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { badRequest, type VaultRefusal } from '../kernel/errors.ts';
import {
  findOtherVaults,
  findRetirable,
  removeVault,
  SILENT_MS,
  type VaultSelf,
} from '../keys/vaults.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import type { Db } from '../store/db.ts';
import { ACTOR, type Announce } from './command.ts';
import { type Input, toText } from './input.ts';

interface RetireDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly self: VaultSelf;
}

const NAME_CHARS_MAX = 1_000;
const parse = ({ name }: Input): string => toText(name, 'name', NAME_CHARS_MAX);
const silentSince = ({ clock }: RetireDeps): Date => new Date(clock() - SILENT_MS);

/** Removes a vault that no longer exists from the list of vaults that rotations wait for. */
export async function retire(
  deps: RetireDeps & { readonly audit: Pick<Audit, 'record'> },
  input: Input,
  report: ReportProgress,
  announce: Announce,
): Promise<void> {
  const name = parse(input);
  await announce({ verb: 'retire_vault' }, name);
  if (!(await removeVault(deps.db, name, silentSince(deps)))) throw await notRetired(deps, name);
  await deps.audit.record({ actor: ACTOR, verb: 'retire_vault', outcome: name });
  report(`Rotations no longer wait for ${name}. If it starts again, it needs the newest root key.`);
}

/** Reports which vault `retire` would remove. */
export async function previewRetire(
  deps: RetireDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const name = parse(input);
  const vault = await findRetirable(deps.db, name, silentSince(deps));
  if (!vault) throw await notRetired(deps, name);
  report(
    `Would remove ${name}, last seen ${vault.seen_at.toISOString()}: rotations would no longer wait for it.`,
  );
}

async function notRetired({ db, self }: RetireDeps, name: string): Promise<VaultRefusal> {
  const vaultNames = (await findOtherVaults(db, self)).map((vault) => vault.name);
  return badRequest(notRetiredDetail(name, vaultNames));
}

const notRetiredDetail = (name: string, vaultNames: readonly string[]): string =>
  vaultNames.includes(name)
    ? `${name} was active within the last ${SILENT_MS / 1000} s. Stop it, then wait ${SILENT_MS / 1000} s.`
    : `No other vault has the name ${name}. Known names: ${vaultNames.join(', ') || 'none'}.`;
