import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * Returns to the page that required the sign-in. Only paths of the application are accepted, because anyone can
 * create the link.
 */
export function useEnter(): () => Promise<void> {
  const { to = '/' } = useSearch({ strict: false }) as { to?: string };
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async () => {
    queries.clear();
    await navigate({ href: /^\/(?![/\\])/.test(to) ? to : '/' });
  };
}
