import type { Database } from '../../platform/database/db.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { deleteNotificationsOf } from '../member-notifications/sql/notifications.ts';
import { deleteOwnNote, type OwnNote } from './sql.ts';

/** Deletes a note of its author, and the notifications that lead to it. Returns false if the author has no such note. */
export const deleteNote = (db: Database, scope: Scope, note: OwnNote): Promise<boolean> =>
  db.transaction(async (tx) => {
    const isDeleted = await deleteOwnNote(tx, scope, note);
    if (isDeleted) await deleteNotificationsOf(tx, scope, note.id);
    return isDeleted;
  });
