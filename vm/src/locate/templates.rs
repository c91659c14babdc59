//! The images of a run, made ready once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use spec::artifact::Image;

use crate::failure::{Failure, FailureKind};
use crate::sight::Template;

/// Most names of images that a message lists.
const LISTED: usize = 8;

/// The images looked for so far, by name. All belong to one run.
#[derive(Debug, Default)]
pub struct Templates(RefCell<HashMap<String, Rc<Ready>>>);

/// An image, ready to be looked for.
#[derive(Debug)]
pub struct Ready {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// What the search takes.
    pub template: Template,
}

impl Templates {
    /// The image that the artifact calls `name`.
    ///
    /// # Errors
    /// It has none of that name, or it cannot be looked for.
    pub fn get(&self, name: &str, images: &[Image]) -> Result<Rc<Ready>, Failure> {
        if let Some(ready) = self.0.borrow().get(name) {
            return Ok(Rc::clone(ready));
        }
        let image = images.iter().find(|image| image.path == name).ok_or_else(|| unknown(name, images))?;
        let template = Template::new(image.width, image.height, &image.rgba)
            .map_err(|error| Failure::new(FailureKind::BadArgument, format!("`{name}` {error}")))?;
        let ready = Rc::new(Ready { size: (image.width, image.height), template });
        self.0.borrow_mut().insert(name.to_owned(), Rc::clone(&ready));
        Ok(ready)
    }
}

fn unknown(name: &str, images: &[Image]) -> Failure {
    let message =
        format!("the macro has no image `{name}`: only images that are named without `${{…}}` are packed into it");
    let failure = Failure::new(FailureKind::BadArgument, message);
    let names: Vec<String> = images.iter().take(LISTED).map(|image| format!("`{}`", image.path)).collect();
    match (images.len(), names.join(", ")) {
        (0, _) => failure.hint("name the image as a constant"),
        (all, names) if all > LISTED => failure.hint(format!("it has {names} and {} more", all - LISTED)),
        (_, names) => failure.hint(format!("it has {names}")),
    }
}

#[cfg(test)]
mod tests {
    use spec::artifact::Image;

    use crate::failure::FailureKind;
    use crate::locate::templates::Templates;

    fn image(path: &str) -> Image {
        Image { path: path.to_owned(), width: 1, height: 2, rgba: vec![1, 2, 3, 255, 9, 9, 9, 255] }
    }

    #[test]
    fn an_image_is_made_ready_once_and_an_unknown_one_refused() {
        let templates = Templates::default();
        let images = [image("a.png"), image("b.png")];
        let first = templates.get("b.png", &images).unwrap();
        assert_eq!(first.size, (1, 2));
        assert!(std::rc::Rc::ptr_eq(&first, &templates.get("b.png", &images).unwrap()));
        let failure = templates.get("c.png", &images).unwrap_err();
        assert_eq!(failure.kind, FailureKind::BadArgument);
        assert!(failure.message.contains("no image `c.png`"), "{failure}");
        assert_eq!(failure.hint.as_deref(), Some("it has `a.png`, `b.png`"));
    }
}
