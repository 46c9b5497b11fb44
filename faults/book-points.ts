import { DatabaseSync, StatementSync } from 'node:sqlite';
import { shortenSql, type Visit } from './kill-points.ts';

type Run = (this: StatementSync, ...values: unknown[]) => unknown;

/** Adds kill points in the network's ledger: each write, and each commit, which is named after its last write. */
export function watchBooks(visit: Visit): void {
  const state = { latest: '' };
  const visitAround = <T>(place: string, act: () => T): T => {
    visit(`before ${place}`);
    const result = act();
    visit(`after ${place}`);
    return result;
  };
  const statement = StatementSync.prototype as unknown as { run: Run };
  const { run } = statement;
  statement.run = function (...values) {
    state.latest = shortenSql(this.sourceSQL);
    return visitAround(state.latest, () => run.apply(this, values));
  };
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    const place = sql === 'commit' ? `commit of ${state.latest}` : shortenSql(sql);
    if (sql.startsWith('begin')) state.latest = 'nothing';
    visitAround(place, () => exec.call(this, sql));
  };
}
