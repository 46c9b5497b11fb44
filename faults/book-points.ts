import { DatabaseSync, StatementSync } from 'node:sqlite';
import { shortened, type Visit } from './kill-points.ts';

type Run = (this: StatementSync, ...values: unknown[]) => unknown;

/** Adds kill points in the network's ledger: each write, and each commit, which is named after its last write. */
export function watchBooks(visit: Visit): void {
  const state = { latest: '' };
  const around = <T>(place: string, act: () => T): T => {
    visit(`before ${place}`);
    const result = act();
    visit(`after ${place}`);
    return result;
  };
  const statement = StatementSync.prototype as unknown as { run: Run };
  const { run } = statement;
  statement.run = function (...values) {
    state.latest = shortened(this.sourceSQL);
    return around(state.latest, () => run.apply(this, values));
  };
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    const place = sql === 'commit' ? `commit of ${state.latest}` : shortened(sql);
    if (sql.startsWith('begin')) state.latest = 'nothing';
    around(place, () => exec.call(this, sql));
  };
}
