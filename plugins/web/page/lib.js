// Imports from packages for all components.

import htm from 'htm'
import { h } from 'preact'

export { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'

export const html = htm.bind(h)
