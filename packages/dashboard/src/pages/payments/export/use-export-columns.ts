import { type PaymentExportColumn, paymentExportColumns } from '@florin/contract/payment-export.ts';
import { useLocalStorage } from '@mantine/hooks';
import { useCan } from '../../../api/scope.ts';
import { READ_CARDS, READ_CUSTOMERS } from '../payment-columns.tsx';

const names = Object.keys(paymentExportColumns) as PaymentExportColumn[];
const permissions = { payer: READ_CUSTOMERS, payment_method: READ_CARDS } as const;

/** Columns of the file for people that the person may read, and those chosen in this browser. */
export function useExportColumns() {
  const can = useCan();
  const all = names.filter((name) => {
    const relation = paymentExportColumns[name];
    return relation === undefined || can(permissions[relation]);
  });
  const [stored, store] = useLocalStorage<readonly string[]>({
    key: 'florin.export.payments',
    defaultValue: names,
    getInitialValueInEffect: false,
  });
  return {
    all,
    /** In the order of the file. */
    chosen: all.filter((name) => stored.includes(name)),
    choose: (chosen: readonly string[]) => store(chosen),
  };
}
