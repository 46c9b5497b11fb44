/**
 * Header that names a cell. In a request without a merchant: the cell that shall answer. In the answer of a cell: the cell
 * that has the merchant, after a move. In the answer of a router to an operator: the only cell that is shown.
 */
export const CELL_HEADER = 'florin-cell';
