import { paymentStateOf } from '@florin/contract/payment-state.ts';
import type { Attributes } from '../../../../api/types.ts';
import { useTexts } from '../../../../i18n/use-texts.ts';
import { ChoiceChip } from './choice-chip.tsx';
import { type ChipProps, STATUS } from './types.ts';

type Status = Attributes<'payment_demands'>['status'];

/** States of complete payments. A payment that is confirmed and not yet sent is processing for people. */
const options: readonly string[] = [
  'pending,processing' satisfies `${Status},${Status}`,
  ...([
    'authorised',
    'succeeded',
    'failed',
    'canceled',
    'disputed',
    'reversed',
  ] satisfies readonly Status[]),
];

/** Filter by the state of a payment, in the words of the list. */
export function StatusChip(props: ChipProps) {
  const t = useTexts('payments');
  const records = useTexts('records');
  const nameOf = (option: string): string => {
    const status = option.split(',')[0] as Status;
    const { name } = paymentStateOf({ status });
    return name === 'to_capture' ? t('status_to_capture') : records(`payment_is_${name}`);
  };
  return (
    <ChoiceChip {...props} label={t('status')} name={STATUS} options={options} nameOf={nameOf} />
  );
}
