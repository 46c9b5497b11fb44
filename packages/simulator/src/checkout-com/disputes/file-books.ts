import type { DatabaseSync } from 'node:sqlite';

/** Files of evidence. The books keep their facts, not their contents. */
export const FILE_SCHEMA = `
  create table if not exists files (
    id text primary key,
    channel text not null,
    name text not null,
    bytes integer not null,
    uploaded_at integer not null
  ) strict, without rowid`;

/** Uploaded file of evidence. */
export interface StoredFile {
  readonly id: string;
  readonly channel: string;
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly uploadedAt: number;
}

/** Files in the books. Call `insert` only inside a commit. */
export interface FileBooks {
  insert(file: StoredFile): void;
  find(id: string): StoredFile | undefined;
}

export function createFileBooks(db: DatabaseSync): FileBooks {
  const insert = db.prepare('insert into files values (?, ?, ?, ?, ?)');
  const select = db.prepare('select * from files where id = ?');
  return {
    insert: ({ id, channel, name, bytes, uploadedAt }) =>
      void insert.run(id, channel, name, bytes, uploadedAt),
    find(id) {
      const row = select.get(id);
      return (
        row && {
          id: String(row.id),
          channel: String(row.channel),
          name: String(row.name),
          bytes: Number(row.bytes),
          uploadedAt: Number(row.uploaded_at),
        }
      );
    },
  };
}
