import type { Db } from '../../../platform/database/db.ts';
import { selectKeyRefusals } from '../sql/key-refusals.ts';
import { selectRefusals } from '../sql/refusals.ts';
import type { AllRefusals } from './describe.ts';

/** Refused keys and notifications of all accounts. */
export const readRefusals = async (db: Db): Promise<AllRefusals> => ({
  keys: await selectKeyRefusals(db),
  notifications: await selectRefusals(db),
});
