/** The only Mantine theme: our sizes, our fonts, and the defaults of every component in use. Colors are in mantine.css. */

import {
  Autocomplete,
  Checkbox,
  createTheme,
  Input,
  InputWrapper,
  Modal,
  NativeSelect,
  PasswordInput,
  Textarea,
  TextInput,
  type TextInputProps,
  Tooltip,
} from "@mantine/core";

/** Label, control, error, then description: the order of screen readers. */
const field: Pick<TextInputProps, "size" | "inputWrapperOrder"> = {
  size: "md",
  inputWrapperOrder: ["label", "input", "error", "description"],
};

export const theme = createTheme({
  fontFamily: "Public Sans, Helvetica Neue, Arial, sans-serif",
  headings: {
    fontFamily: "League Gothic, Arial Narrow, sans-serif",
    fontWeight: "400",
    sizes: { h1: { fontSize: "3rem", lineHeight: "1" }, h2: { fontSize: "1.5rem", lineHeight: "1" } },
  },
  defaultRadius: "sm",
  radius: { xs: "2px", sm: "4px", md: "8px", lg: "8px", xl: "8px" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  fontSizes: { xs: "0.8125rem", sm: "0.875rem", md: "1rem", lg: "1.1875rem", xl: "1.5rem" },
  breakpoints: { xs: "24em", sm: "48em", md: "64em", lg: "80em", xl: "100em" },
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  autoContrast: false,
  components: {
    Input: Input.extend({ defaultProps: { size: "md" } }),
    // Optional fields have "(optional)" in their label instead of an asterisk on required ones.
    InputWrapper: InputWrapper.extend({ defaultProps: { withAsterisk: false } }),
    TextInput: TextInput.extend({ defaultProps: field }),
    Textarea: Textarea.extend({ defaultProps: { ...field, resize: "vertical" } }),
    NativeSelect: NativeSelect.extend({ defaultProps: field }),
    PasswordInput: PasswordInput.extend({ defaultProps: { ...field, visibilityToggleFocusable: true } }),
    Autocomplete: Autocomplete.extend({ defaultProps: field }),
    Checkbox: Checkbox.extend({ defaultProps: { size: "sm" } }),
    Tooltip: Tooltip.extend({
      defaultProps: { events: { hover: true, focus: true, touch: false }, transitionProps: { duration: 160 } },
    }),
    Modal: Modal.extend({
      defaultProps: {
        radius: "md",
        padding: 24,
        size: "28rem",
        centered: true,
        overlayProps: { color: "#140e1c", backgroundOpacity: 0.55, blur: 0 },
        // The overlay covers the page. A scroll lock would shift it by the scroll bar's width.
        lockScroll: false,
        // The head of a dialog is not a banner of the page.
        attributes: { header: { role: "presentation" } },
        closeButtonProps: { "aria-label": "Close", size: "2.75rem", iconSize: "1.25rem" },
        transitionProps: { duration: 160 },
      },
    }),
  },
});
