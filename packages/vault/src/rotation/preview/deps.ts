import type { Clock } from '../../kernel/clock.ts';
import type { KeyWatch } from '../../keys/key-watch.ts';
import type { Kms } from '../../keys/kms/kms.ts';
import type { VaultSelf } from '../../keys/vaults.ts';
import type { Db } from '../../store/db.ts';

/** Sources of previews of rotations. `db` is a transaction that cannot write. */
export interface PreviewDeps {
  readonly db: Db;
  readonly kms: Kms;
  readonly clock: Clock;
  readonly self: VaultSelf;
  readonly keyWatch: Pick<KeyWatch, 'status'>;
}
