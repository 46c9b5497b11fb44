import type { ComputedColumns } from '../../jsonapi/document/computed-columns.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { draftByFacts } from './load.ts';

/**
 * Creates the texts of emails that nothing sends: rendered whenever they are read, not stored. An email that cannot be
 * rendered is logged and has none.
 */
export const createEmailTexts = ({ logger }: Pick<Services, 'logger'>): ComputedColumns => ({
  columns: ['subject', 'text', 'html'],
  from: ['merchant_id', 'id', 'kind', 'mode', 'locale', 'facts'],
  compute(email: Row): Row {
    try {
      return { ...draftByFacts(email) };
    } catch (error) {
      const err = { message: (error as Error).message };
      logger.error({ email: email.id, merchant: email.merchant_id, err }, 'email not rendered');
      return {};
    }
  },
});
