import { DatabaseSync, StatementSync } from 'node:sqlite';
import { shortenSql, type Visit } from './kill-points.ts';

type Run = (this: StatementSync, ...values: unknown[]) => unknown;

/** Adds kill points in the network's ledger: each write, and each commit, which is named after its last write. */
export function watchLedger(visit: Visit): void {
  const state = { latest: '' };
  const visitAroundCall = <T>(pointName: string, act: () => T): T => {
    visit(`before ${pointName}`);
    const result = act();
    visit(`after ${pointName}`);
    return result;
  };
  const statement = StatementSync.prototype as unknown as { run: Run };
  const { run } = statement;
  statement.run = function (...values) {
    state.latest = shortenSql(this.sourceSQL);
    return visitAroundCall(state.latest, () => run.apply(this, values));
  };
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    const pointName = sql === 'commit' ? `commit of ${state.latest}` : shortenSql(sql);
    if (sql.startsWith('begin')) state.latest = 'nothing';
    visitAroundCall(pointName, () => exec.call(this, sql));
  };
}
