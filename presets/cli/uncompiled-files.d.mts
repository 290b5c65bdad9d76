/** Copies the folders `page` and `network` of all plugins. */
export declare function copyUncompiledFiles (root: string, target: string): void
