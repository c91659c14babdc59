//! The nodes on an axis, nearest first, as sections 2.2 and 2.4 of the recommendation order them.

use roxmltree::Node;
use spec::grammar::xpath::ast::Axis;

use crate::edit::xml::document::Xml;
use crate::edit::xml::error::XmlEditError;
use crate::edit::xml::xpath::budget::Budget;
use crate::edit::xml::xpath::value::Item;

/// Calls `keep` for every node on `axis` from `from`; each costs one visit. A walk upwards ends when `keep` says no.
pub fn walk<'d>(
    xml: &Xml<'d>,
    budget: &Budget,
    axis: Axis,
    from: Item,
    keep: &mut dyn FnMut(Item, Node<'d, 'd>) -> bool,
) -> Result<(), XmlEditError> {
    let Some(node) = xml.node(from.node) else { return Ok(()) };
    let mut visit = |node: Node<'d, 'd>| {
        budget.spend(1)?;
        keep(Item::of(node.id().get()), node);
        Ok(())
    };
    let below = |node: Node<'d, 'd>| node.descendants().skip(1);
    if from.is_attribute() {
        return match axis {
            Axis::SelfNode | Axis::DescendantOrSelf => {
                budget.spend(1)?;
                keep(from, node);
                Ok(())
            }
            Axis::AncestorOrSelf => {
                budget.spend(1)?;
                keep(from, node);
                walk(xml, budget, Axis::AncestorOrSelf, Item::of(from.node), keep)
            }
            Axis::Ancestor => walk(xml, budget, Axis::AncestorOrSelf, Item::of(from.node), keep),
            Axis::Parent => visit(node),
            Axis::Following => {
                below(node).try_for_each(&mut visit)?;
                following(xml, node).try_for_each(visit)
            }
            Axis::Preceding => walk(xml, budget, Axis::Preceding, Item::of(from.node), keep),
            Axis::Attribute | Axis::Child | Axis::Descendant | Axis::FollowingSibling | Axis::PrecedingSibling => {
                Ok(())
            }
        };
    }
    match axis {
        Axis::Ancestor | Axis::AncestorOrSelf => {
            for above in node.ancestors().skip(usize::from(axis == Axis::Ancestor)) {
                budget.spend(1)?;
                if !keep(Item::of(above.id().get()), above) {
                    break;
                }
            }
            Ok(())
        }
        Axis::Attribute => {
            for (_, attribute) in node.attributes().zip(1u32..) {
                // An attribute is found by counting, so a later one costs more.
                budget.spend(attribute as usize)?;
                keep(Item { node: from.node, attribute }, node);
            }
            Ok(())
        }
        Axis::Child => node.children().try_for_each(visit),
        Axis::Descendant => below(node).try_for_each(visit),
        Axis::DescendantOrSelf => node.descendants().try_for_each(visit),
        Axis::Following => following(xml, node).try_for_each(visit),
        Axis::FollowingSibling => node.next_siblings().skip(1).try_for_each(visit),
        Axis::Parent => node.parent().into_iter().try_for_each(visit),
        Axis::Preceding => {
            // Ancestors are met in the order of the walk upwards, so one look ahead tells them from the rest.
            let mut ancestors = node.ancestors().skip(1).peekable();
            for id in (0..from.node).rev() {
                if ancestors.next_if(|ancestor| ancestor.id().get() == id).is_some() {
                    budget.spend(1)?;
                } else if let Some(before) = xml.node(id) {
                    visit(before)?;
                }
            }
            Ok(())
        }
        Axis::PrecedingSibling => node.prev_siblings().skip(1).try_for_each(visit),
        Axis::SelfNode => visit(node),
    }
}

/// One past the number of the last node below `node`.
pub fn subtree_end(node: Node) -> u32 {
    let last = |node: Node| node.descendants().next_back().map_or(node.id().get(), |last| last.id().get());
    last(node).saturating_add(1)
}

fn following<'d>(xml: &Xml<'d>, node: Node<'d, 'd>) -> impl Iterator<Item = Node<'d, 'd>> {
    let tree = xml.tree;
    (subtree_end(node)..).map_while(move |id| tree.get_node(roxmltree::NodeId::new(id)))
}
