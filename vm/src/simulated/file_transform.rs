//! Pretended `file_transform`: no file is read or written.

use spec::action::{Action, arguments, outputs};
use spec::value::Value;

use crate::failure::Failure;
use crate::simulated::Simulated;
use crate::simulated::trace::Traced;
use crate::world::{Call, FileTransform};

impl FileTransform for Simulated<'_> {
    fn json_get(&mut self, arguments: &arguments::JsonGet, call: &Call<'_>) -> Result<outputs::JsonGet, Failure> {
        self.pretend(Action::JsonGet, &arguments.traced(), call)?;
        Ok(outputs::JsonGet { value: Value::Null, path: arguments.path.to_string() })
    }

    fn json_set(&mut self, arguments: &arguments::JsonSet, call: &Call<'_>) -> Result<outputs::JsonSet, Failure> {
        self.pretend(Action::JsonSet, &arguments.traced(), call)?;
        Ok(outputs::JsonSet { path: arguments.path.to_string(), value: arguments.value.clone() })
    }

    fn json_delete(
        &mut self,
        arguments: &arguments::JsonDelete,
        call: &Call<'_>,
    ) -> Result<outputs::JsonDelete, Failure> {
        self.pretend(Action::JsonDelete, &arguments.traced(), call)?;
        Ok(outputs::JsonDelete { deleted: Value::String(arguments.path.to_string()) })
    }

    fn xml_get_attr(
        &mut self,
        arguments: &arguments::XmlGetAttr,
        call: &Call<'_>,
    ) -> Result<outputs::XmlGetAttr, Failure> {
        self.pretend(Action::XmlGetAttr, &arguments.traced(), call)?;
        Ok(outputs::XmlGetAttr { values: Vec::new(), attr: arguments.attr.clone() })
    }

    fn xml_set_attr(
        &mut self,
        arguments: &arguments::XmlSetAttr,
        call: &Call<'_>,
    ) -> Result<outputs::XmlSetAttr, Failure> {
        self.pretend(Action::XmlSetAttr, &arguments.traced(), call)?;
        Ok(outputs::XmlSetAttr { matched: 0, attr: arguments.attr.clone() })
    }

    fn xml_get_text(
        &mut self,
        arguments: &arguments::XmlGetText,
        call: &Call<'_>,
    ) -> Result<outputs::XmlGetText, Failure> {
        self.pretend(Action::XmlGetText, &arguments.traced(), call)?;
        Ok(outputs::XmlGetText { values: Vec::new() })
    }

    fn xml_set_text(
        &mut self,
        arguments: &arguments::XmlSetText,
        call: &Call<'_>,
    ) -> Result<outputs::XmlSetText, Failure> {
        self.pretend(Action::XmlSetText, &arguments.traced(), call)?;
        Ok(outputs::XmlSetText { matched: 0 })
    }

    fn text_replace(
        &mut self,
        arguments: &arguments::TextReplace,
        call: &Call<'_>,
    ) -> Result<outputs::TextReplace, Failure> {
        self.pretend(Action::TextReplace, &arguments.traced(), call)?;
        Ok(outputs::TextReplace { replacements: 0 })
    }

    fn regex_replace(
        &mut self,
        arguments: &arguments::RegexReplace,
        call: &Call<'_>,
    ) -> Result<outputs::RegexReplace, Failure> {
        self.pretend(Action::RegexReplace, &arguments.traced(), call)?;
        Ok(outputs::RegexReplace { replacements: 0 })
    }

    fn copy_file(&mut self, arguments: &arguments::CopyFile, call: &Call<'_>) -> Result<outputs::CopyFile, Failure> {
        self.pretend(Action::CopyFile, &arguments.traced(), call)?;
        Ok(outputs::CopyFile { src: arguments.src.clone(), dst: arguments.dst.clone(), size: 0 })
    }

    fn write_file(&mut self, arguments: &arguments::WriteFile, call: &Call<'_>) -> Result<outputs::WriteFile, Failure> {
        self.pretend(Action::WriteFile, &arguments.traced(), call)?;
        Ok(outputs::WriteFile {
            path: arguments.output_file.clone(),
            size: i64::try_from(arguments.text.len()).unwrap_or(i64::MAX),
        })
    }

    fn make_dir(&mut self, arguments: &arguments::MakeDir, call: &Call<'_>) -> Result<outputs::MakeDir, Failure> {
        self.pretend(Action::MakeDir, &arguments.traced(), call)?;
        Ok(outputs::MakeDir { path: arguments.path.clone(), created: true })
    }

    fn delete_file(
        &mut self,
        arguments: &arguments::DeleteFile,
        call: &Call<'_>,
    ) -> Result<outputs::DeleteFile, Failure> {
        self.pretend(Action::DeleteFile, &arguments.traced(), call)?;
        Ok(outputs::DeleteFile { path: arguments.path.clone(), deleted: true })
    }
}
