import { countCards, findCard } from '../cards/card-store.ts';
import {
  type DestroyDeps,
  destroyCard,
  destroyMerchant,
  unknownCard,
  unknownMerchant,
} from '../cards/destroy.ts';
import { findKekVersion } from '../cards/destroy-keks.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Kms } from '../keys/kms/kms.ts';
import { destroyRoot, requireDestroyable } from '../rotation/destroy-root.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import type { RootDeps } from '../rotation/rewrap-keys.ts';
import type { Db } from '../store/db.ts';
import { ACTOR, type Announce } from './command.ts';
import { type Input, TOKEN_CHARS_MAX, toInteger, toScope, toText } from './input.ts';

const VERSION_MAX = 1_000_000;

type Target =
  | { readonly kind: 'root'; readonly version: number }
  | { readonly kind: 'card'; readonly scope: Scope; readonly token: string }
  | { readonly kind: 'merchant'; readonly scope: Scope };

function parse(input: Input): Target {
  if (input.root_version !== undefined)
    return {
      kind: 'root',
      version: toInteger(input.root_version, 'root_version', 1, VERSION_MAX),
    };
  const scope = toScope(input);
  if (input.card_pan_token === undefined) return { kind: 'merchant', scope };
  const token = toText(input.card_pan_token, 'card_pan_token', TOKEN_CHARS_MAX);
  return { kind: 'card', scope, token };
}

/** Destroys a card, all cards of a merchant in one mode, or a replaced root key. */
export async function destroy(
  deps: DestroyDeps & RootDeps,
  input: Input,
  report: ReportProgress,
  announce: Announce,
): Promise<void> {
  const target = parse(input);
  switch (target.kind) {
    case 'root':
      return destroyVersion(deps, target.version, report, announce);
    case 'card':
      await announce({ verb: 'destroy_card', ...target.scope, token: target.token });
      await destroyCard(deps, target.scope, target.token, ACTOR);
      return report('The card is destroyed.');
    case 'merchant': {
      await announce({ verb: 'destroy_merchant', ...target.scope });
      const count = await destroyMerchant(deps, target.scope, deps.clock(), ACTOR);
      return report(`The key and ${count} cards are destroyed. ${BACKUPS_HINT}`);
    }
  }
}

const BACKUPS_HINT =
  'Older backups hold the key under the root key: rotate root, then destroy the replaced version.';

async function destroyVersion(
  deps: DestroyDeps & RootDeps,
  version: number,
  report: ReportProgress,
  announce: Announce,
): Promise<void> {
  const outcome = `version ${version}`;
  await announce({ verb: 'destroy_root' }, outcome);
  await destroyRoot(deps, version);
  await deps.audit.record({ actor: ACTOR, verb: 'destroy_root', outcome });
  report(
    `Version ${version} of the root key is destroyed. Keys that only this version encrypts are lost.`,
  );
}

interface PreviewDeps {
  readonly db: Db;
  readonly kms: Kms;
}

/** Reports what `destroy` would destroy. */
export async function previewDestroy(
  deps: PreviewDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const target = parse(input);
  switch (target.kind) {
    case 'root':
      return previewVersion(deps, target.version, report);
    case 'card': {
      const card = await findCard(deps.db, target.scope, target.token);
      if (!card) throw unknownCard();
      return report(
        `Would destroy the card ${card.token} of ${nameOf(target.scope)}: ${card.brand}, last digits ${card.last_four}. ${NO_RETURN}`,
      );
    }
    case 'merchant': {
      if ((await findKekVersion(deps.db, target.scope)) === undefined) throw unknownMerchant();
      const count = await countCards(deps.db, target.scope);
      return report(
        `Would destroy the key and ${count} cards of ${nameOf(target.scope)}. ${NO_RETURN}`,
      );
    }
  }
}

const NO_RETURN = 'This cannot be undone.';
const nameOf = ({ merchant_id, mode }: Scope): string => `${merchant_id} (${mode})`;

async function previewVersion(
  { db, kms }: PreviewDeps,
  version: number,
  report: ReportProgress,
): Promise<void> {
  const replaced = await requireDestroyable(db, version);
  const isHere = (await kms.describe()).versions.includes(version);
  if (!replaced && !isHere)
    return report(`Version ${version} of the root key is destroyed already.`);
  report(
    `Would destroy version ${version} of the root key${isHere ? `: ${kms.nameOf(version)}` : ', whose key is not here'}. Backups of the vault that need it become unreadable. ${NO_RETURN}`,
  );
  if (replaced?.destroy_at)
    report(`Without the command, the vault destroys it at ${replaced.destroy_at.toISOString()}.`);
}
