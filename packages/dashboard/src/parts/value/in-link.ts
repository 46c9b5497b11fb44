import { createContext } from 'react';

/** Whether a value stands in a link already: links and buttons in a link reach nobody. */
export const InLink = createContext(false);
