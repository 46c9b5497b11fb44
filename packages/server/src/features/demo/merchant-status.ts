import type { Row } from '../../platform/database/row.ts';
import { alertColumns } from '../records/alert.ts';
import type { MakeRow, TableRows } from './rows.ts';

/** Rows about a merchant's status at the platform: its processor, red flags and integrations. */
export function operationsRows(
  makeRow: MakeRow,
  tokens: readonly Row[],
  integration_id: string,
): TableRows[] {
  const processor = makeRow({
    kind: 'sandbox',
    onboarding_state: 'approved',
    processing_state: 'enabled',
  });
  const flag = makeRow({
    comment: 'The page with the terms could not be reached for a day.',
    external_metadata: JSON.stringify({ page: 'terms', checked: 2 }),
    source: 'edge',
    status: 'cleared',
    violation: 'terms',
  });
  return [
    ['processor_details', [processor]],
    ['merchant_tokens', tokens.map((token) => withProcessor(token, processor))],
    ['red_flags', [flag]],
    ['merchant_punitive_actions', [makeLiftedAction(makeRow, flag)]],
    ['account_alerts', makeAlerts(makeRow, flag)],
    [
      'merchant_integrations',
      [makeRow({ ...connection, integration_id, merchant_token_id: tokens[0]?.id ?? null })],
    ],
  ];
}

const makeLiftedAction = (make: MakeRow, flag: Row): Row => {
  const action = make({
    action: 'quarantine',
    status: 'lifted',
    reason: 'Payers could not read the terms they agreed to.',
    red_flag_id: flag.id as string,
  });
  return { ...action, lifted_at: action.created_at as string };
};

const connection: Row = {
  name: 'Online shop',
  admin_url: 'https://shop.example/wp-admin/admin.php?page=wc-settings',
};

/** Assigns the processor to the keys of its mode. */
const withProcessor = (token: Row, { id, mode }: Row): Row =>
  token.mode === mode ? { ...token, processor_detail_id: id as string } : token;

function makeAlerts(make: MakeRow, flag: Row): Row[] {
  const acknowledgedAlert = make({
    ...alertColumns({
      message: {
        code: 'red_flag_cleared',
        parameters: { violation: 'terms', reason: 'The page with the terms is back.' },
      },
    }),
    status: 'acknowledged',
    red_flag_id: flag.id as string,
  });
  const approvalAlert = make(
    alertColumns({
      code: 'merchant_approved',
      message: { code: 'merchant_approved_without_processor', parameters: {} },
    }),
  );
  return [
    { ...acknowledgedAlert, acknowledged_at: acknowledgedAlert.created_at as string },
    approvalAlert,
  ];
}
