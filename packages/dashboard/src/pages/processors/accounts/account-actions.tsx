import { useTexts } from '../../../i18n/use-texts.ts';
import { ActionButton } from '../../../parts/form/action-button.tsx';
import { useActionDialog } from '../../operator/use-action-dialog.ts';
import type { AccountDetail, AccountStatus } from '../types.ts';
import { type AccountAction, AccountDialog } from './account-dialog.tsx';
import { CheckButton } from './check-button.tsx';

const actionsByStatus: Readonly<Record<AccountStatus, readonly AccountAction[]>> = {
  untested: ['enable', 'remove'],
  enabled: ['pause'],
  paused: ['enable', 'remove'],
  removed: [],
};

/** Actions that the account's status allows. */
export function AccountActions({ account }: { readonly account: AccountDetail }) {
  const t = useTexts('processors');
  const { subject, isOpen, ask, close } = useActionDialog<AccountAction>();
  return (
    <>
      {account.status !== 'removed' && <CheckButton account={account} />}
      {actionsByStatus[account.status].map((action) => (
        <ActionButton
          key={action}
          isDestructive={action === 'remove'}
          {...(action === 'enable' && { variant: 'filled' })}
          onClick={() => ask(action)}
        >
          {t(action)}
        </ActionButton>
      ))}
      {subject && (
        <AccountDialog
          key={subject}
          account={account}
          action={subject}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </>
  );
}
