import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import { type Db, openDatabase } from '../db.ts';

/** SQL: identifies a database of a running PostgreSQL. */
export const PLACE = `pg_postmaster_start_time()::text || ' ' || current_database()`;

/** Reads the database that a connection leads to. */
export const readDatabasePlace = async (db: Db): Promise<string> =>
  (await db.query(`select ${PLACE} as place`, []))[0]?.place as string;

/** Whether two addresses lead to one schema of one database. Rejects if one of them cannot be reached. */
export async function isSamePlace(address: string, otherAddress: string): Promise<boolean> {
  if (address === otherAddress) return true;
  const [one, other] = [address, otherAddress].map(parseDatabaseAddress);
  if (one?.schema !== other?.schema) return false;
  await using db = openDatabase({ url: address, connections_max: 1 });
  await using otherDb = openDatabase({ url: otherAddress, connections_max: 1 });
  return (await readDatabasePlace(db)) === (await readDatabasePlace(otherDb));
}
