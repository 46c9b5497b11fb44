import type { Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { createLogger, type Logger } from '../../platform/logger.ts';
import { createDropCounter } from './log-metric.ts';

/** The log of the process, and that of its requests: the same one, unless it is separate. */
export function openLogs(
  { log_level, access_log_fd }: Pick<Config, 'log_level' | 'access_log_fd'>,
  register: Registry,
): { readonly logger: Logger; readonly access_logger: Logger } {
  const countDrop = createDropCounter(register);
  const logger = createLogger(log_level, countDrop);
  const isSeparate = access_log_fd !== undefined;
  return {
    logger,
    access_logger: isSeparate ? createLogger(log_level, countDrop, access_log_fd) : logger,
  };
}
