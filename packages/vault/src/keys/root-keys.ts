import { StartupError } from '../kernel/errors.ts';
import {
  type Activation,
  activateStaged,
  addFirstVersion,
  findNewestVersion,
  findVersion,
  isHeld,
  proveVersion,
  type RootVersion,
  type RootVersionDeps,
  type StagedVersion,
  stageDueVersion,
  stageNextVersion,
} from './root-versions.ts';
import { findHolderNames } from './vaults.ts';

/** A key wrapped by a root key version, as stored. */
export interface WrappedKey {
  readonly root_version: number;
  readonly wrapped: Buffer;
}

/** The root key. The newest active version wraps keys. */
export interface RootKeys {
  wrap(key: Buffer, context: string): Promise<WrappedKey>;
  /**
   * Decrypts a key. Throws if version or `context` differ from those of the wrapping, or the version was
   * destroyed.
   */
  unwrap(wrapped: WrappedKey, context: string): Promise<Buffer>;
  generate(context: string): Promise<{ readonly key: Buffer } & WrappedKey>;
  /** Whether this vault can use the version now: its key is here, and the provider answers. */
  isUsable(version: number): Promise<boolean>;
  /** The version that wraps keys. */
  current(): Promise<number>;
  /** Creates and checks the next version, which wraps no key before its activation. */
  stage(): Promise<StagedVersion>;
  /** Like `stage`, but undefined if no version is due any more. */
  stageDue(): Promise<StagedVersion | undefined>;
  /** Activates a staged version if every vault holds it. */
  activate(version: number): Promise<Activation>;
}

/**
 * Opens this database's root key, and creates it only at the very first start. Throws `StartupError` if the
 * provider lacks a known version, or holds another key under its name.
 */
export async function openRootKeys(deps: RootVersionDeps): Promise<RootKeys> {
  const { db, kms } = deps;
  await proveNewestVersion(deps, (await findNewestVersion(db)) ?? (await addFirstVersion(deps)));
  const current = async (): Promise<number> => (await findNewestVersion(db))?.version ?? 1;
  return {
    current,
    async wrap(key, context) {
      const root_version = await current();
      return { root_version, wrapped: await kms.wrap(root_version, key, context) };
    },
    unwrap: ({ root_version, wrapped }, context) => kms.unwrap(root_version, wrapped, context),
    async generate(context) {
      const root_version = await current();
      return { root_version, ...(await kms.generate(root_version, context)) };
    },
    async isUsable(version) {
      const row = await findVersion(db, version);
      return row !== undefined && isHeld(kms, row);
    },
    stage: () => stageNextVersion(deps),
    stageDue: () => stageDueVersion(deps),
    activate: (version) => activateStaged(deps, version),
  };
}

async function proveNewestVersion(deps: RootVersionDeps, row: RootVersion): Promise<void> {
  const { kms } = deps;
  const { provider, versions } = await kms.describe();
  if (row.provider !== provider) {
    throw new StartupError(
      `The stored cards were encrypted with a root key of the provider ${row.provider}, but VAULT_KMS is ${provider}. Set it to ${row.provider}.`,
    );
  }
  const name = kms.nameOf(row.version);
  if (!versions.includes(row.version)) {
    throw new StartupError(
      `The root key ${name} is missing. The stored cards cannot be read without it. ${await recoveryHint(deps, row)}`,
    );
  }
  await proveVersion(kms, row).catch(async (cause: unknown) => {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(
      `The root key ${name} is not the key of the stored cards. ${await recoveryHint(deps, row)}`,
      { cause },
    );
  });
}

/** Sentence on where the right key may be found. */
async function recoveryHint({ db }: RootVersionDeps, row: RootVersion): Promise<string> {
  const { version, fingerprint } = row;
  const holderNames = await findHolderNames(db, version);
  const rightFile = fingerprint ? `the right file (fingerprint ${fingerprint})` : 'the right file';
  const action =
    holderNames.length > 0 ? `Copy it from ${holderNames.join(' or ')}, or restore` : 'Restore';
  return `${action} ${rightFile} from its backup.`;
}
