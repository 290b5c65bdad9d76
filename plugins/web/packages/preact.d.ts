// What the page imports as a file beside it is the package of that name.
export * from 'preact'
