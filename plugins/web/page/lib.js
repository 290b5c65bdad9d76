// What every component takes from the packages.

import htm from './htm.js'
import { h } from './preact.js'

export { useCallback, useEffect, useMemo, useRef, useState } from './hooks.js'
export { render } from './preact.js'

export const html = htm.bind(h)
