import { notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import type { ControlCall } from '../../stand-in/control.ts';
import { membersOf, textOf } from '../../stand-in/members.ts';
import type { AdyenAccount } from '../accounts.ts';
import { wrongMerchant } from '../answers.ts';
import type { AdyenServices } from '../call.ts';
import { emitAdyenEvent } from '../events/emit.ts';
import { renderReport } from './render-report.ts';
import { rowsOf } from './report-rows.ts';

/** Real address of reports, from which links of notifications begin. */
const REPORT_URL = 'https://ca-test.adyen.com/reports/download/MerchantAccount';
const REPORT_PATH =
  /^\/reports\/download\/MerchantAccount\/([^/]+)\/settlement_detail_report_batch_(\d{1,9})\.csv$/;

const fileNameOf = (batch: number): string => `settlement_detail_report_batch_${batch}.csv`;

/**
 * `POST /control/accounts/{merchantAccount}/batches {unknown_type?}`: closes a batch of all movements since the last
 * one, writes its settlement report and reports it. `unknown_type` adds a row of this type.
 */
export function closeBatch(
  services: AdyenServices,
  { body }: ControlCall,
  name: string,
): StandInAnswer {
  const { books, now } = services;
  const account = books.accounts.find(name);
  if (!account) return notFound;
  const { company, blended_fees } = account.settings;
  const unknownType = textOf(membersOf(body).unknown_type);
  const batch = books.movements.nextBatch(name);
  const rows = rowsOf(books.movements.open(name), {
    isBlended: blended_fees,
    ...(unknownType && { unknownType }),
  });
  const content = renderReport(rows, {
    company,
    account: name,
    batch,
    closedAt: now(),
    findPayment: books.payments.find,
  });
  books.movements.close(name, batch, content);
  const file = fileNameOf(batch);
  const url = `${REPORT_URL}/${name}/${file}`;
  emitAdyenEvent(
    services,
    {
      pspReference: file,
      merchantAccountCode: name,
      merchantReference: '',
      amount: { value: 0, currency: 'EUR' },
      eventCode: 'REPORT_AVAILABLE',
      success: 'true',
      reason: url,
    },
    file,
  );
  return { status: 201, body: { batch, file, rows: rows.length } };
}

/** `GET /reports/download/MerchantAccount/{merchantAccount}/{file}`; undefined for other paths. */
export function downloadReport(
  { books }: AdyenServices,
  opened: readonly AdyenAccount[],
  path: string,
): StandInAnswer | undefined {
  const [, name = '', batch] = REPORT_PATH.exec(path) ?? [];
  if (batch === undefined) return undefined;
  if (!opened.some((account) => account.name === name)) return wrongMerchant;
  const content = books.movements.report(name, Number(batch));
  return content === undefined ? notFound : { status: 200, text: ['text/csv', content] };
}
