import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { dispatchNext } from '../dispatch.ts';

/** Loop that gives due changes to members, one at a time. Changes follow the system clock, also in sandboxes. */
export const startMemberNotificationsLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'member notifications',
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'notifiable_changes' }],
    step: () => dispatchNext(services),
  });
